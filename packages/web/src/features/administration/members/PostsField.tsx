import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DepartmentNode } from '@engawa/protocol/product';
import { maxPosts } from '@engawa/protocol/administration';
import { TextButton } from '../../../components/primitives/Button.tsx';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { ArrowDown, ArrowUp, Icon, Plus, X } from '../../../components/icons.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { departmentOptions } from '../departments/departmentOptions.ts';
import { DepartmentPicker } from '../departments/DepartmentPicker.tsx';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import list from '../List.module.css';
import styles from './PostsField.module.css';

interface PostsFieldProps {
  readonly tree: readonly DepartmentNode[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** The departments of a member in order. The first is the main one (R3.4). */
export function PostsField({ tree, chosen, onChoose }: PostsFieldProps) {
  const words = useAdministrationWords().posts;
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [picking, setPicking] = useState(false);
  const [said, setSaid] = useState('');
  const options = departmentOptions(tree);
  const nameOf = (code: string) => options.find((each) => each.code === code)?.name ?? code;

  const place = (code: string, to: number) => {
    const next = chosen.filter((each) => each !== code).toSpliced(to, 0, code);
    onChoose(next);
    setSaid(words.placed(nameOf(code), to + 1, next.length));
  };

  const remove = (code: string) => {
    onChoose(chosen.filter((each) => each !== code));
    addButton.current?.focus();
  };

  return (
    <fieldset className={styles['posts']} aria-labelledby={id}>
      <span id={id} className={styles['label']}>
        {words.heading}
      </span>
      {chosen.length === 0 && <p className={list['none']}>{words.none}</p>}
      {chosen.length > 0 && (
        <ol className={styles['list']} aria-labelledby={id}>
          {chosen.map((code, index) => (
            <li key={code}>
              <span className={styles['kind']} data-main={index === 0}>
                {index === 0 ? words.main : words.concurrent}
              </span>
              <span className={styles['name']}>{nameOf(code)}</span>
              {chosen.length > 1 && (
                <>
                  <IconButton
                    name={words.earlier(nameOf(code))}
                    icon={ArrowUp}
                    disabled={index === 0}
                    onClick={() => index > 0 && place(code, index - 1)}
                  />
                  <IconButton
                    name={words.later(nameOf(code))}
                    icon={ArrowDown}
                    disabled={index === chosen.length - 1}
                    onClick={() => index < chosen.length - 1 && place(code, index + 1)}
                  />
                </>
              )}
              <IconButton name={words.remove(nameOf(code))} icon={X} onClick={() => remove(code)} />
            </li>
          ))}
        </ol>
      )}
      {chosen.length < maxPosts && !picking && (
        <TextButton
          ref={addButton}
          className={styles['add']}
          onClick={() => {
            // Synchronously, so that the next key reaches the field.
            flushSync(() => setPicking(true));
            picker.current?.focus();
          }}
        >
          <Icon of={Plus} size={16} />
          {words.add}
        </TextButton>
      )}
      {picking && (
        <DepartmentPicker
          ref={picker}
          label={words.search}
          options={options.filter(({ code }) => !chosen.includes(code))}
          onPick={({ code }) => {
            flushSync(() => {
              if (code !== null) onChoose([...chosen, code]);
              setPicking(false);
            });
            addButton.current?.focus();
          }}
        />
      )}
      <VisuallyHidden live>{said}</VisuallyHidden>
    </fieldset>
  );
}
