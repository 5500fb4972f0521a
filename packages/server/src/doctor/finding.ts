export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly ja: string;
  readonly en: string;
}

export const ok = (check: string, ja: string, en: string): Finding => ({ check, level: 'ok', ja, en });
export const warning = (check: string, ja: string, en: string): Finding => ({ check, level: 'warning', ja, en });
export const problem = (check: string, ja: string, en: string): Finding => ({ check, level: 'problem', ja, en });

const mostNamed = 5;

export function firstOf(names: readonly string[]): string {
  return names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ', …' : '');
}
