import { useId, useRef, useState } from 'react';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { Ellipsis } from '../../components/icons.ts';
import { MenuItems, type MenuItem } from '../../components/primitives/Menu.tsx';

interface RowMenuProps {
  readonly name: string;
  /** Called only while the menu is open, because computing the items of all rows would be slow. */
  readonly itemsOf: () => readonly MenuItem[];
}

export function RowMenu({ name, itemsOf }: RowMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();

  const toggle = () => {
    const box = button.current?.getBoundingClientRect();
    setAt(at || !box ? undefined : { x: box.right, y: box.bottom + 4 });
  };

  return (
    <span>
      <IconButton
        ref={button}
        name={name}
        icon={Ellipsis}
        expanded={at !== undefined}
        popup="menu"
        controls={at && id}
        onClick={toggle}
      />
      {at && (
        <MenuItems
          id={id}
          name={name}
          items={itemsOf()}
          first="first"
          at={at}
          onClose={() => {
            setAt(undefined);
            button.current?.focus();
          }}
          onLeave={(target) => {
            if (!button.current?.contains(target)) setAt(undefined);
          }}
        />
      )}
    </span>
  );
}
