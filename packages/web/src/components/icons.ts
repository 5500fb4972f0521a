/** All icons come from here, so that an icon that lucide renames gets an alias in one place. */
export * from 'lucide-react';
