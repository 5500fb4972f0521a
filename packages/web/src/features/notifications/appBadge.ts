export function showAppBadge(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const address = count > 0 ? '/favicon-unread.svg' : '/favicon.svg';
  if (icon && icon.getAttribute('href') !== address) icon.setAttribute('href', address);
  void markInstalled(count);
}

async function markInstalled(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  try {
    await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
  } catch (error) {
    // The app is not installed, or badges are switched off.
    if (!(error instanceof DOMException)) throw error;
  }
}
