import { describe, expect, it } from '@jest/globals';
import type { Edit } from '../testing/compile.fixture.js';
import { filesWithTypeErrors, replacing } from '../testing/compile.fixture.js';
import { OPEN_PAYMENT_STATUSES } from './payment-status-facts.js';

const STATUSES = 'libs/contracts/src/http/payments.ts';
const FACTS = 'libs/contracts/src/events/payment-status-facts.ts';
const TRANSITIONS = 'apps/payment/src/life-cycle/transitions.ts';
/** Every file that reads statuses: rules of three services. */
const READERS = [
  FACTS,
  TRANSITIONS,
  'apps/payment/src/life-cycle/derive.ts',
  'apps/payment/src/persistence/open-payments.ts',
  'apps/payment/src/view/payment-view.ts',
  'apps/webhook-dispatch/src/rules/workflow-outcome.ts',
  'apps/withdrawal/src/accounts/wallet/accepts-blame.ts',
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
    expect(filesWithTypeErrors(READERS)).toEqual([]);
  });

  it('do not compile without a row for a new status', () => {
    expect(filesWithTypeErrors([FACTS], { [STATUSES]: withStatus })).toEqual([FACTS]);
  });

  it('require the transitions of a new status', () => {
    const edits = { [STATUSES]: withStatus, [FACTS]: withFacts };
    expect(filesWithTypeErrors(READERS, edits)).toEqual([TRANSITIONS]);
  });

  it('require nothing else for a new status', () => {
    const edits = {
      [STATUSES]: withStatus,
      [FACTS]: withFacts,
      [TRANSITIONS]: withTransitions,
    };
    expect(filesWithTypeErrors(READERS, edits)).toEqual([]);
  });
});
