import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Edit } from '../testing/compile.fixture.js';
import { filesWithTypeErrors, replacing } from '../testing/compile.fixture.js';
import { OPEN_PAYMENT_STATUSES } from './payment-status-facts.js';

const ROOT = join(import.meta.dirname, '../../../..');
const STATUSES = 'libs/contracts/src/http/payments.ts';
const FACTS = 'libs/contracts/src/events/payment-status-facts.ts';
const TRANSITIONS = 'apps/payment/src/life-cycle/transitions.ts';
/** Every production file that names the type or the table, and two that read the status of a record. */
const READERS = [
  ...globSync('{apps,libs}/*/src/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*spec.ts', '**/*.fixture.ts'],
  })
    .filter((file) => /payment_?status/i.test(readFileSync(join(ROOT, file), 'utf8')))
    .sort(),
  'apps/payment/src/life-cycle/derive.ts',
  'apps/payment/src/view/payment-view.ts',
];

const withStatus: Edit = replacing("  'PENDING',\n", "  'PENDING',\n  'PAUSED',\n");
const withFacts: Edit = replacing(
  '  PENDING: {\n',
  `  PAUSED: {
    phase: 'open',
    event: 'payment.updated',
    webhook: null,
    revokesExecutor: 'always',
  },
  PENDING: {
`,
);
const withTransitions: Edit = replacing('  COMPLETE: {},', '  COMPLETE: {},\n  PAUSED: ENDED,');

describe('the facts of payment statuses', () => {
  it('list the statuses of open payments', () => {
    expect(OPEN_PAYMENT_STATUSES).toEqual(['PENDING', 'WITHDRAW_PENDING']);
  });

  it('compile unchanged', () => {
    expect(READERS).toEqual(expect.arrayContaining([FACTS, TRANSITIONS]));
    expect(filesWithTypeErrors(READERS)).toEqual([]);
  });

  it('do not compile without a row for a new status', () => {
    expect(filesWithTypeErrors([FACTS], { [STATUSES]: withStatus })).toEqual([FACTS]);
  });

  it('require the transitions of a new status', () => {
    const edits = { [STATUSES]: withStatus, [FACTS]: withFacts };
    expect(filesWithTypeErrors(READERS, edits)).toEqual([TRANSITIONS]);
  });

  it('need nothing else to compile with a new status', () => {
    const edits = {
      [STATUSES]: withStatus,
      [FACTS]: withFacts,
      [TRANSITIONS]: withTransitions,
    };
    expect(filesWithTypeErrors(READERS, edits)).toEqual([]);
  });
});
