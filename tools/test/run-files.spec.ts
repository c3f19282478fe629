import { describe, expect, it } from '@jest/globals';
import { importedFrom } from './run-files.js';

const FILES: Record<string, string> = {
  'tests/a.e2e-spec.ts': `
    import { b } from './testing/b.fixture.js';
    import type { T } from './testing/types.fixture.js';
    // import { c } from './testing/in-a-comment.fixture.js';
    import { library } from 'library';`,
  'tests/testing/b.fixture.ts': `
    import './c.fixture.js';
    export { d } from '../d.fixture.js';
    export type { U } from './types.fixture.js';`,
  'tests/testing/c.fixture.ts': `import { b } from './b.fixture.js';`,
  'tests/d.fixture.ts': '',
  'tests/testing/types.fixture.ts': '',
  'tests/testing/in-a-comment.fixture.ts': '',
  'tests/testing/left.fixture.ts': `import { b } from './b.fixture.js';`,
};

describe('the files that tests run', () => {
  it('are those that a spec imports, also through others, and not for their types alone', () => {
    const reached = importedFrom(['tests/a.e2e-spec.ts'], (file) => FILES[file] ?? null);
    expect([...reached].sort()).toEqual([
      'tests/a.e2e-spec.ts',
      'tests/d.fixture.ts',
      'tests/testing/b.fixture.ts',
      'tests/testing/c.fixture.ts',
    ]);
  });
});
