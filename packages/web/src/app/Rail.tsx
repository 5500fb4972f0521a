import { memo, useRef, type KeyboardEvent } from 'react';
import { moveFocus } from '../components/primitives/focus.ts';
import { PlainButton } from '../components/primitives/Button.tsx';
import { Face } from '../components/Face.tsx';
import { Icon, MessagesSquare, Moon, Network, Settings, Sun } from '../components/icons.ts';
import { Logo } from '../components/Logo.tsx';
import { Tooltip } from '../components/primitives/Tooltip.tsx';
import { useWords } from '../i18n/LocaleProvider.tsx';
import styles from './Rail.module.css';
import { addressOfList, tabs, type Tab } from './route.ts';
import { useChooseTheme, type Theme } from './theme.ts';
import { selectMe, type Me } from '../model/people/selectors.ts';
import { selectDirectUnread, selectTotalMentions, selectTotalUnread } from '../model/conversations/selectors.ts';
import { isForInputMethod } from '../components/inputMethod.ts';
import { useModel } from '../hooks/model.ts';

const mostShown = 99;

const iconOf = { organisation: Network, streams: MessagesSquare, settings: Settings } as const;

/** R1.1, R2.3: the tabs and the theme toggle, at the side of a wide window and at the bottom of a narrow one. */
export const Rail = memo(function Rail({
  tab,
  narrow,
  theme,
  onSwitchMember,
}: {
  readonly tab: Tab;
  readonly narrow: boolean;
  readonly theme: Theme;
  /** Undefined outside the demo. */
  readonly onSwitchMember: (() => void) | undefined;
}) {
  const words = useWords().tabs;
  const me = useModel(selectMe);
  return (
    <nav className={styles['rail']} aria-label={words.label}>
      {!narrow && (
        <PlainButton className={styles['skip']} onClick={() => document.querySelector<HTMLElement>('main textarea')?.focus()}>
          {words.toComposer}
        </PlainButton>
      )}
      <span className={styles['logo']}>
        <Logo size={33} />
      </span>
      <TabList tab={tab} narrow={narrow} />
      <ThemeToggle theme={theme} narrow={narrow} />
      {me && !narrow && <OwnFace me={me} onSwitchMember={onSwitchMember} />}
    </nav>
  );
});

/** R1.5: leads to the settings, in the demo to the choice of another member. */
function OwnFace({ me, onSwitchMember }: { readonly me: Me; readonly onSwitchMember: (() => void) | undefined }) {
  const words = useWords().tabs;
  const name = onSwitchMember ? words.switchFrom(me.fullName) : words.me(me.fullName);
  const shared = { className: styles['me'], 'aria-label': name };
  const face = <Face id={me.userId} name={me.fullName} picture={me.avatarUrl} size="rail" />;
  return (
    <Tooltip text={name} side="right">
      {onSwitchMember ? (
        <PlainButton {...shared} aria-haspopup="dialog" onClick={onSwitchMember}>
          {face}
        </PlainButton>
      ) : (
        <a {...shared} href={addressOfList('settings')}>
          {face}
        </a>
      )}
    </Tooltip>
  );
}

/** Tabs by the WAI-ARIA pattern. Each tab is a link as well, so that its address can be copied (R2.2). */
function TabList({ tab, narrow }: { readonly tab: Tab; readonly narrow: boolean }) {
  const words = useWords().tabs;
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    const links = list.current?.querySelectorAll<HTMLElement>('[role="tab"]');
    const to = moveFocus(event, links ?? [], { axis: narrow ? 'horizontal' : 'vertical', wraps: true });
    if (to !== undefined) links?.[to]?.click();
  };

  return (
    <div
      ref={list}
      role="tablist"
      aria-label={words.label}
      aria-orientation={narrow ? 'horizontal' : 'vertical'}
      className={styles['tabs']}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {tabs.map((each) => {
        const link = <TabLink key={each} tab={each} selected={each === tab} narrow={narrow} />;
        return narrow ? (
          link
        ) : (
          <Tooltip key={each} text={words[each]} side="right">
            {link}
          </Tooltip>
        );
      })}
    </div>
  );
}

function TabLink({ tab, selected, narrow }: { readonly tab: Tab; readonly selected: boolean; readonly narrow: boolean }) {
  const words = useWords();
  const unread = useModel(selectTotalUnread);
  const directs = useModel(selectDirectUnread);
  const mentions = useModel(selectTotalMentions);
  const isStreams = tab === 'streams';
  const said = [
    words.tabs[tab],
    ...(isStreams && unread > 0 ? [words.unread(unread)] : []),
    ...(isStreams && directs > 0 ? [words.directs(directs)] : []),
    ...(isStreams && mentions > 0 ? [words.mentions(mentions)] : []),
  ];
  const icon = iconOf[tab];
  return (
    <a
      id={`tab-${tab}`}
      role="tab"
      href={addressOfList(tab)}
      aria-selected={selected}
      aria-controls="panel"
      aria-label={said.join(' ')}
      tabIndex={selected ? 0 : -1}
      className={styles['tab']}
    >
      <span className={styles['icon']}>
        <Icon of={icon} size={narrow ? 22 : 20} strokeWidth={1.75} />
        {said.length > 1 && (
          <span
            className={styles['mark']}
            data-count={mentions > 0 ? words.withAt(Math.min(mentions, mostShown)) : words.atMost(unread, mostShown)}
          />
        )}
      </span>
      {narrow && <span className={styles['label']}>{words.tabs[tab]}</span>}
    </a>
  );
}

function ThemeToggle({ theme, narrow }: { readonly theme: Theme; readonly narrow: boolean }) {
  const words = useWords().tabs;
  const chooseTheme = useChooseTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const name = other === 'dark' ? words.toDark : words.toLight;
  const icon = other === 'dark' ? Moon : Sun;
  const button = (
    <PlainButton className={styles['tab']} aria-label={name} onClick={() => chooseTheme(other)}>
      <span className={styles['icon']}>
        <Icon of={icon} size={narrow ? 22 : 20} strokeWidth={1.75} />
      </span>
      {narrow && <span className={styles['label']}>{words.theme}</span>}
    </PlainButton>
  );
  if (narrow) return button;
  return (
    <span className={styles['theme']}>
      <Tooltip text={name} side="right">
        {button}
      </Tooltip>
    </span>
  );
}
