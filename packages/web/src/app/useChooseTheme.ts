import { colorSchemes } from '@engawa/protocol';
import { useChangeSettings } from '../hooks/changeSettings.ts';
import { chooseTheme, type ThemeChoice } from './theme.ts';

const schemes: Readonly<Record<ThemeChoice, 1 | 2 | 3>> = {
  system: colorSchemes.automatic,
  dark: colorSchemes.dark,
  light: colorSchemes.light,
};

/** Chooses it here at once, and for all of the member's devices. Where that fails, what the server has comes back. */
export function useChooseTheme(): (choice: ThemeChoice) => void {
  const change = useChangeSettings();
  return (choice) => {
    chooseTheme(choice);
    change({ color_scheme: schemes[choice] });
  };
}
