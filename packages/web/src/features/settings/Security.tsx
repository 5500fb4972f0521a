import { Switch } from '../../components/Switch.tsx';
import { useToast } from '../../components/Toasts.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './Sections.module.css';
import { Sessions } from './Sessions.tsx';

export function Security() {
  const words = useWords().settings;
  const toast = useToast();
  return (
    <>
      <div className={styles['rows']}>
        <Switch
          label={words.notifications}
          on={false}
          onToggle={() => toast({ text: words.notificationsLater, tone: 'note' })}
        />
      </div>
      <Sessions />
    </>
  );
}
