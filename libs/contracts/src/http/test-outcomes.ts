/** Outcomes that a test key may ask for (`test_outcome` of a quote request). */
export const TEST_OUTCOMES = ['PAYS_LATE', 'EXPIRES', 'FAILS', 'SLIPS'] as const;
/** Outcome that a payment of a test key is to have. */
export type TestOutcome = (typeof TEST_OUTCOMES)[number];

/** Means by which an outcome comes about on the test chain, and its end. */
export interface TestOutcomeFacts {
  readonly means: string;
  readonly status: 'EXPIRED' | 'FAILED';
  /** Classification of the parked funds; null where none arrive. */
  readonly parked: 'DELAYED' | 'STUCK' | 'SLIPPED' | null;
  /** Time to fund the payment, in place of that of the confirm; null for no change. */
  readonly fundingSeconds: number | null;
  /** Customer under whose id a sandbox provider pays late; null for the payment's own customer. */
  readonly sandboxCustomer: string | null;
  /** Change of the plan's last leg, which then fails on chain; null for none. */
  readonly lastLeg: 'needs more gas' | 'needs more output' | null;
}

const UNCHANGED = { fundingSeconds: null, sandboxCustomer: null, lastLeg: null } as const;

/** The only list of outcomes on demand. */
export const TEST_OUTCOME_FACTS = {
  PAYS_LATE: {
    ...UNCHANGED,
    means:
      'The funding window is 30 s, and sandbox providers take the money 45 s after the customer pays. Tokens are late when you send them after `initiate_fund_by`.',
    status: 'EXPIRED',
    parked: 'DELAYED',
    fundingSeconds: 30,
    sandboxCustomer: 'sandbox-late',
  },
  EXPIRES: {
    ...UNCHANGED,
    means: 'The funding window is 10 s. Do not pay.',
    status: 'EXPIRED',
    parked: null,
    fundingSeconds: 10,
  },
  FAILS: {
    ...UNCHANGED,
    means: 'The last leg may use less gas than any transaction needs, so each attempt is refused.',
    status: 'FAILED',
    parked: 'STUCK',
    lastLeg: 'needs more gas',
  },
  SLIPS: {
    ...UNCHANGED,
    means: 'The declared minimum of the last leg is twice its quoted output, so no route meets it.',
    status: 'FAILED',
    parked: 'SLIPPED',
    lastLeg: 'needs more output',
  },
} as const satisfies Record<TestOutcome, TestOutcomeFacts>;

/** Facts of a request's outcome; undefined without one. */
export const testOutcomeOf = ({
  test_outcome: outcome,
}: {
  test_outcome?: TestOutcome;
}): TestOutcomeFacts | undefined =>
  outcome === undefined ? undefined : TEST_OUTCOME_FACTS[outcome];
