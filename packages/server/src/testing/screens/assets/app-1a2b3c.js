globalThis.document.title = 'screens';
