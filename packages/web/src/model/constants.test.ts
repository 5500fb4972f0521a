import { describe, expect, it } from 'vitest';
import * as constants from './constants.ts';

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The names that a source file imports from the constants. */
function takenFrom(source: string): readonly string[] {
  const imports = source.matchAll(/import \{([^}]*)\} from '[^']*\/constants\.ts'/g);
  return imports.flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' as ')[0] ?? '')).toArray();
}

describe('constants', () => {
  it('[R9.6] The constants have the values that the specification requires', () => {
    expect({ ...constants }).toEqual({
      pollDelay: 1000,
      retryDelay: 1000,
      scrollAfterMessage: 50,
      scrollAfterLoad: 100,
      breakpoint: 900,
      pickerHeight: 320,
      escapeKey: 27,
      maxImageBytes: 5_000_000,
      japanOffsetSeconds: 32_400,
      initialMessages: 20,
      nameLength: 20,
      topic: 'stream events',
    });
  });

  it('[R9.6] The web client uses every constant of the specification except the two retry delays of the client library', () => {
    const used = new Set(Object.values(sources).flatMap(takenFrom));
    const unused = Object.keys(constants).filter((name) => !used.has(name));
    expect(unused).toEqual(['pollDelay', 'retryDelay']);
  });
});
