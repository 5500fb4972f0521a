import { configure } from '@testing-library/react';

// One second, the default, is too short on a busy machine, where a test loads the code of a screen.
configure({ asyncUtilTimeout: 30_000 });
