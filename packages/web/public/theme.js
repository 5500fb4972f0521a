// What must stand before the first paint and the first module. A file of its own, because the content security policy
// allows no script inside the page.

// R4.11: the remembered theme; `src/app/theme.ts` takes over from here.
try {
  const chosen = localStorage.getItem('engawa:theme');
  const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  if (dark) {
    document.documentElement.dataset.theme = 'dark';
    document.querySelector('meta[name="theme-color"]').setAttribute('content', '#101311');
  }
} catch {
  // Storage may be forbidden; light is the default.
}

// Without this zod tries whether it may compile code from text, which the policy forbids and reports as a violation.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// The policy lets no text become markup or a script. What is fetched beside the page, a worker, is a file of the build.
globalThis.trustedTypes?.createPolicy('default', {
  createScriptURL: (address) =>
    address === '/serviceWorker.js' || address.startsWith(`${location.origin}/assets/`) ? address : null,
});
