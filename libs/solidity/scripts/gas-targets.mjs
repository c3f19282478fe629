// Targets for the gas of transactions.

// Gas of base/commerce-payments; its benchmarks leave out the 21,000 and the calldata of a transaction.
const CLOSEST = { authorize: 127_755, capture: 98_688, charge: 178_936, refund: 64_337 };
const { authorize, capture, charge, refund } = CLOSEST;

export const PLAIN = 'plain ERC-20 transfer';
/** Transactions with their target and the closest operation of commerce-payments. */
export const ROWS = [
  ['plain ERC-20 transfer'],
  ['wallet deployment', 80_000],
  ['transfer leg with fee, executed by a key', 85_000, 'capture', capture],
  ['transfer leg with fee', 85_000, 'capture', capture],
  ['transfer leg with fee and deployment', null, 'authorise + capture', authorize + capture],
  ['plain Uniswap V3 swap'],
  ['Uniswap V3 swap with payout and fee', 215_000, 'charge, without a swap', charge],
  ['transfer leg with fee and a deposit as custom calls'],
  ['withdrawal of one token', 90_000, 'refund', refund],
  ['withdrawal of one token with fee', 105_000, 'refund', refund],
  ['deployment and withdrawal of one token with fee', 165_000, 'refund', refund],
  ['outcome of an order from two attesters'],
  ['refund of an unfilled order to its wallet', null, 'refund', refund],
  ['refund of an unfilled order as the owner signed, with fee', null, 'refund', refund],
];

export const number = (value) => value.toLocaleString('en-US');

/**
 * Lists transactions above their target or argued limit, and arguments that are not needed.
 *
 * @param gas by the names of transactions
 * @param argued by the same names: at most how much, and why
 */
export function aboveTargets(gas, argued, rows = ROWS) {
  const problems = rows.flatMap(([name, target]) => {
    if (!(gas[name] > 0)) return [`${name}: was not measured`];
    const limit = argued[name]?.because ? argued[name].atMost : target;
    if (!limit || gas[name] <= limit) return [];
    return [`${name}: costs ${number(gas[name])}, and may cost ${number(limit)}`];
  });
  const stale = Object.keys(argued).filter((name) => {
    const target = rows.find(([row]) => row === name)?.[1];
    return !target || gas[name] <= target;
  });
  return [...problems, ...stale.map((name) => `${name}: argued, but not above a target`)];
}
