export function Logo({ size }: { readonly size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden fill="none" stroke="currentColor" strokeWidth={2.2}>
      <g strokeLinecap="round" strokeLinejoin="round">
        <path d="M2.2 10.6 16 3l13.8 7.6" />
        <path d="M7 11.4v11.4M25 11.4v11.4" />
        <path d="M2.2 23.4h27.6M4.6 28h22.8" />
      </g>
      <circle cx="16" cy="16" r="3.2" fill="currentColor" stroke="none" />
    </svg>
  );
}
