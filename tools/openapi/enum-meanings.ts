import type { Components } from './json-schema.js';

/** Meaning of each value of an enum, by its component or by `Component.field`. */
const MEANINGS: Record<string, Record<string, string>> = {
  PaymentStatus: {
    PENDING: 'Confirmed: waits for money, or is carried out.',
    COMPLETE: 'The last step is final on its chain.',
    FAILED:
      'A step failed for good, or the declaration expired. The money can be withdrawn or used for a retry.',
    EXPIRED:
      'No full deposit arrived by `initiate_fund_by`. Later money can be withdrawn or used for a retry.',
    WITHDRAW_PENDING: 'A withdrawal has not landed yet; only with `enable_withdraw_pending=true`.',
    WITHDRAWN: 'A withdrawal landed and left nothing that is worth one.',
    TAINTED:
      'The owner, the destination or a sender is sanctioned: no execution, retry or withdrawal by the service.',
    UNCONFIRMED: 'The owner has to sign first, see `next_instruction`. Nothing is stored.',
  },
  FulfilledStepStatus: {
    PENDING: 'Waits or runs.',
    ATTEMPT_FAILED: 'An attempt failed, and another one follows.',
    COMPLETE: 'Final on its chain.',
    FAILED: 'Failed for good.',
    UNREACHABLE: 'Behind a failed step, so it will not run.',
  },
  WithdrawalStatus: {
    PENDING: 'Not landed yet.',
    SUCCESS: 'Landed, with a `transaction_hash`.',
    FAILED: 'The chain refused it.',
    EXPIRED: 'Not executed before its end, 30 minutes after the request.',
  },
  'WebhookDelivery.status': {
    PENDING: 'Waits for its next attempt, or one runs.',
    DELIVERED: 'The receiver answered 2xx.',
    FAILED: 'The last attempt failed.',
    CANCELLED: 'The webhook was deleted.',
  },
  AmountIssueReason: {
    TOO_LOW: 'Below the smallest amount of the source.',
    TOO_HIGH: 'Above the largest amount of the source.',
    UNEXPECTEDLY_LOW: 'Fees take too much of the output, more than half by default.',
    UNEXPECTEDLY_HIGH: 'The output is worth far more than the input, so a price is wrong.',
    NO_VALID_AMOUNT: 'No amount works.',
    UNKNOWN: 'The source gave no reason.',
  },
  'AmountIssue.kind': {
    amount: 'The amount of the request.',
    'amount-downstream': 'The amount that reaches a later step of the route.',
  },
  'MessageIssue.kind': {
    geolocation: "The customer's place is not served.",
    provider: 'A party does not offer the route, is unavailable or unknown.',
    payin_method: 'The payment method is not offered.',
    payout_method: 'The way of paying out is not offered.',
    destination: 'The destination cannot receive the payout.',
    other: 'Any other problem that the message describes.',
    unknown: 'Failure of the service.',
  },
  'OwnerIssue.mitigation': {
    change: 'Name another owner address.',
    verify: 'Repeat the request with a signature of the owner.',
  },
  'ParkedFundIssue.classification': {
    MISSENT: 'Sent in another token or on another chain.',
    STUCK: 'Left behind by a failed step.',
    UNDERFUNDED: 'Less than the payment needs.',
    STALLED: 'Funded, and its step does not progress; resolves by itself.',
    EXTRA: 'More than the payment needs, or sent after its end.',
    SLIPPED: 'Left behind because the output fell below the declared minimum.',
    DELAYED: 'Sent after `initiate_fund_by`.',
  },
  'ParkedFundIssue.severity': {
    HIGH: 'The owner should act.',
    LOW: 'Below the withdrawal fee, or it resolves by itself.',
  },
  WithdrawAccount: {
    SPW: 'One-time wallet of the payment; the owner signs typed data (EIP-712).',
    INTENT: 'Escrow of a bridge; the owner signs a message (EIP-191).',
    RDW: 'Reusable deposit wallet; never returned in this version.',
  },
  VerificationReason: {
    EVM_OWNER:
      'Shows that the owner controls its address; asked for once, from an output of 300 USD on by default.',
    EVM_WITHDRAWAL:
      'Withdrawal that is simulated only; from 1,000,000 USD on by default, or on request.',
  },
  RouteAccount: {
    USER: 'The user.',
    DEST: 'The destination.',
    SPW: "The payment's one-time wallet.",
    BRIDGE: 'A bridge, between two chains.',
    REV_SHARE: 'Receivers of the revenue share.',
    SERVICE: 'The service, which takes fees.',
  },
  RouteStepType: {
    ONRAMP: 'A provider turns fiat into tokens at the deposit address.',
    USER_FUND: 'The user sends tokens to the deposit address.',
    ONCHAIN_STEP: 'Transactions on one chain.',
    OFFRAMP: 'A provider turns tokens into fiat; not in this version.',
  },
  PieceType: {
    user_fund: 'Deposit of the user.',
    onramp: 'Delivery of a provider.',
    poll: 'Wait for a party; in no route of this version.',
    bridge: 'Transfer to another chain.',
    rev_share: 'Payout of the revenue share.',
    transfer_out: 'Payout to the destination.',
    convert: 'Conversion into another token.',
    custom_call: 'Custom action.',
    offramp: 'Payout in fiat; not in this version.',
  },
  Feature: {
    BETA_EDGES: 'Also uses edges that are marked beta.',
    ORG_BETA_EDGES: 'Also uses beta edges that an operator opened for the organisation.',
    ORG_EDGES: 'Also uses other edges that an operator opened for the organisation.',
  },
  TestOutcome: {
    PAYS_LATE: 'The money arrives after the deadline.',
    EXPIRES: 'The time to fund is a few seconds.',
    FAILS: 'The last leg fails on the chain.',
    SLIPS: 'The output falls below the declared minimum.',
  },
  ValidationErrorCode: {
    invalid_type: 'Missing, or of another type: `expected` names the right one.',
    invalid_format: 'Text of the wrong form.',
    invalid_union: 'None of the permitted forms.',
    invalid_value: 'None of the permitted values.',
    too_small: 'Below the smallest value, length or number of elements.',
    too_big: 'Above the largest value, length or number of elements.',
    custom: 'Any other problem that the message describes.',
  },
  TimelineCause: {
    client: 'A request with an API key.',
    owner: 'A signature of the owner.',
    chain: 'A block.',
    provider: 'An onramp provider.',
    bridge: 'A bridge.',
    service: 'The executor and its decisions.',
    deadline: 'A point in time.',
  },
  'TimelineWait.kind': {
    DEPOSIT: 'Tokens at the deposit address.',
    CHECKOUT: "The customer's payment at a provider.",
    DELIVERY: 'Tokens from a provider.',
    CONFIRMATIONS: 'Blocks that make a deposit or transaction final.',
    EXECUTION: 'The next transaction of the service.',
    TRANSACTION: 'A transaction that is to be mined.',
    BRIDGE: 'Delivery on the other chain.',
    WITHDRAWAL: 'A withdrawal that is to land.',
    DEADLINE: 'A point in time, `until`.',
    OWNER: 'A withdrawal or retry by the owner.',
    OPERATOR: 'An operator of the service.',
  },
  TimelineEntryType: {
    'payment.confirmed': 'The payment was confirmed.',
    'owner.verified': 'The owner signed a verification.',
    'retry.confirmed': 'Another payment that retries this one was confirmed.',
    'checkout.requested': 'A checkout was asked of the provider.',
    'checkout.opened': 'The provider opened a checkout.',
    'checkout.reported': 'The provider reported a status.',
    'deposit.seen': 'Money arrived, and is not final yet.',
    'deposit.confirmed': 'Money that arrived is final.',
    'deposit.reorganised': 'The chain dropped the block of a deposit.',
    'payment.funded_in_part': 'Less arrived than the payment needs.',
    'payment.funded': 'All that the payment needs arrived.',
    'payment.unfunded': 'A reorganisation took away what funded the payment.',
    'leg.submitted': 'A leg was given to the executor.',
    'leg.broadcast': 'The transaction of a leg was sent.',
    'leg.replaced': 'The transaction of a leg was sent again with a higher fee.',
    'leg.waiting': 'A leg waits, for `reason`.',
    'leg.attempt_failed': 'A transaction of a leg failed, and another one follows.',
    'leg.executed': 'A leg was executed.',
    'leg.failed': 'A leg failed for good.',
    'leg.reorganised': 'The chain dropped the block of a leg.',
    'transfer.opened': 'Money was given to a bridge.',
    'transfer.filled': 'The bridge reported its delivery.',
    'transfer.arrived': 'Money of the bridge arrived on the other chain.',
    'transfer.unfilled': 'The bridge did not deliver in time.',
    'transfer.refunded': 'The bridge returned the money.',
    'transfer.lost': 'The bridge neither delivered nor returned the money.',
    'transfer.reorganised': 'The chain dropped the block of a transfer.',
    'refund.submitted': 'A refund of a bridge was given to the executor.',
    'refund.broadcast': 'The transaction of a refund was sent.',
    'refund.replaced': 'The transaction of a refund was sent again with a higher fee.',
    'refund.waiting': 'A refund waits, for `reason`.',
    'refund.failed': 'A refund failed.',
    'refund.uneconomic': 'A refund costs more than it returns, so the service does not send it.',
    'withdrawal.requested': 'A withdrawal was prepared for the owner to sign.',
    'withdrawal.submitted': 'A signed withdrawal was accepted.',
    'withdrawal.broadcast':
      'A transaction of a withdrawal was sent: the first one, or one with a higher fee.',
    'withdrawal.mined': 'A withdrawal landed.',
    'withdrawal.failed': 'A withdrawal failed.',
    'withdrawal.expired': 'A withdrawal was not executed before its end.',
    'withdrawal.reorganised': 'The chain dropped the block of a withdrawal.',
    'deadline.passed': 'A deadline of the payment passed.',
    'payment.status_changed': 'The payment has another status.',
  },
};

/** Enums whose values are names that a reader knows, or that their description lists. */
const SELF_EXPLANATORY: readonly string[] = [
  'BalanceResult.account',
  'Chain.address_family',
  'FundsPlace',
  'KeyMode',
  'KeySelf.kind',
  'PaymentMethod',
  'Permission',
  'RouteProperty',
  'SignatureType',
  'TimelineDeadline',
  'WebhookDeliveryDetails.status',
  'WebhookEventType',
  'WithdrawResponse.type',
];

const sorted = (values: readonly unknown[]): string => values.map(String).sort().join(', ');

/**
 * Describes each value of the enums, in `description` and for readers that list values.
 * @throws Error for an enum or value that is not described, or that no longer exists
 */
export function describeEnums(components: Components): void {
  for (const [place, meanings] of Object.entries(MEANINGS)) {
    const [name = '', field] = place.split('.');
    const component = components[name];
    const schema = field === undefined ? component : component?.properties?.[field];
    const values = schema?.enum ?? [];
    if (schema === undefined || sorted(values) !== sorted(Object.keys(meanings))) {
      throw new Error(
        `Expected meanings of ${place} for ${sorted(values) || 'nothing'}, ` +
          `found ${sorted(Object.keys(meanings))}: correct enum-meanings.ts.`,
      );
    }
    const lines = Object.entries(meanings).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
    schema.description = [schema.description ?? '', lines.join('\n')].join('\n\n').trim();
    schema['x-enumDescriptions'] = meanings;
  }
  const missing = Object.entries(components)
    .flatMap(([name, { enum: values, properties = {} }]) => [
      { place: name, values },
      ...Object.entries(properties).map(([field, { enum: own }]) => ({
        place: `${name}.${field}`,
        values: own,
      })),
    ])
    .filter(({ values }) => (values?.length ?? 0) > 1)
    .map(({ place }) => place)
    .filter((place) => !(place in MEANINGS) && !SELF_EXPLANATORY.includes(place));
  if (missing.length > 0) {
    throw new Error(`Expected meanings of ${missing.join(', ')}: add them to enum-meanings.ts.`);
  }
}
