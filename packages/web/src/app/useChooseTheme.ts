import { colorSchemes } from '@engawa/protocol';
import { useChangeSettings } from '../hooks/changeSettings.ts';
import { chooseTheme, type ThemeChoice } from './theme.ts';

const schemes: Readonly<Record<ThemeChoice, 1 | 2 | 3>> = {
  system: colorSchemes.automatic,
  dark: colorSchemes.dark,
  light: colorSchemes.light,
};

/** Applies a theme at once and stores it for all devices. If storing fails, the server's value is applied again. */
export function useChooseTheme(): (choice: ThemeChoice) => void {
  const change = useChangeSettings();
  return (choice) => {
    chooseTheme(choice);
    change({ color_scheme: schemes[choice] });
  };
}
