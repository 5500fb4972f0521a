import { useState } from 'react';

export const statuses = ['available', 'busy'] as const;
export type Status = (typeof statuses)[number];

/** The member's choice as this device keeps it. */
export function useStatus(userId: number): readonly [status: Status, choose: (status: Status) => void] {
  const name = `engawa:status:${userId}`;
  const [status, setStatus] = useState(() => keptStatus(name));
  const choose = (chosen: Status) => {
    setStatus(chosen);
    try {
      localStorage.setItem(name, chosen);
    } catch {
      // Storage may be forbidden; the choice then lasts until the page is left.
    }
  };
  return [status, choose];
}

function keptStatus(name: string): Status {
  try {
    return localStorage.getItem(name) === 'busy' ? 'busy' : 'available';
  } catch {
    return 'available';
  }
}
