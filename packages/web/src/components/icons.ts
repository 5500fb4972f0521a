import { createElement } from 'react';
import type { IconNode } from 'lucide';

/** All icons come from here, so that an icon that lucide renames gets an alias in one place. */
export * from 'lucide';

interface IconProps {
  readonly of: IconNode;
  readonly size: number;
  readonly strokeWidth?: number;
  readonly className?: string | undefined;
  /** Without a name, screen readers skip the icon. */
  readonly name?: string;
}

export function Icon({ of, size, strokeWidth = 2, className, name }: IconProps) {
  return createElement(
    'svg',
    {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      className,
      role: name === undefined ? undefined : 'img',
      'aria-label': name,
      'aria-hidden': name === undefined || undefined,
    },
    ...of.map(([tag, attributes]) => createElement(tag, attributes)),
  );
}
