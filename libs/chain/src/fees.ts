import { parseGwei } from 'viem';
import type { Address } from 'viem';
import type { Chain, EndpointClient } from './chain.js';
import type { ChainDefinition } from './definitions/chain-definition.js';
import { median } from './median.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { settleWithGrace } from './settle-with-grace.js';
import { witnessesNeeded } from './witnesses.js';

export interface TransactionFees {
  /** Wei per unit of gas. */
  maxFeePerGas: bigint;
  /** Equal to the fee on chains with a single gas price. */
  maxPriorityFeePerGas: bigint;
}

/** Fees to offer, and the price of gas to expect. */
export interface MarketFees extends TransactionFees {
  /** Wei per unit of gas now, tip included, of two nodes the lower one: at most the fee. */
  price: bigint;
  /** The same of two nodes' higher one, which may exceed the fee. */
  higherPrice: bigint;
}

/** Fees to offer first, and how far a later offer may rise. */
export interface FeeOffers extends MarketFees {
  /**
   * Tip, or single gas price, of two nodes the higher one, since one of them may demand it; but at most twice the lower base
   * fee, or ten times the least tip: so it costs little though a node has invented it.
   */
  risenTip: bigint;
}

/** The middle two of the nodes' answers, which differ only for an even number of them. */
export interface Medians {
  lower: bigint;
  higher: bigint;
}

/** Medians with the number of nodes that have answered. */
interface Answered extends Medians {
  answers: number;
}

/** Fee fields of a transaction. */
type OfferedFees = ({ type: 'eip1559' } & TransactionFees) | { type: 'legacy'; gasPrice: bigint };

/** Room for six full blocks in a row, each of which raises the base fee by an eighth. */
const BASE_FEE_HEADROOM = 2n;
/** Leaves room for two replacements below the chain's highest fee, in percent of it. */
const FIRST_OFFER_PERCENT = 75n;
/** Least tip where the definition has none, in gwei. */
const LEAST_TIP_GWEI = 0.001;
/** Times the lower base fee, and times the least tip, to which a tip may rise. */
const RISE = { baseFees: 2n, leastTips: 10n };
/** Wait for slower nodes after most have answered. */
const STRAGGLER_MS = 250;
/** Nodes of which one that lies is outvoted, and the wait for them. */
const QUORUM = { results: 3, waitMs: 2_000 };

/** Highest fee that the chain's definition allows, in wei per unit of gas. */
export const maxFeeOf = ({ definition }: Pick<Chain, 'definition'>): bigint =>
  parseGwei(definition.maxFeeGwei.toString());

/** Gas price to charge now, in wei per unit of gas: the nodes' median, of two the higher one, at most the chain's highest fee. */
export const gasPriceOf = async (chain: Chain): Promise<bigint> =>
  (await gasPricesOf(chain)).higher;

/** Gas price of the chain now, of two nodes both: the higher one to charge and bound, the lower one to refuse by. */
export const gasPricesOf = async (chain: Chain): Promise<Medians> =>
  atMost(await mediansOf(chain, (node) => node.getGasPrice()), maxFeeOf(chain));

/** Limits both to a ceiling. */
export const atMost = ({ lower, higher }: Medians, ceiling: bigint): Medians => ({
  lower: smaller(lower, ceiling),
  higher: smaller(higher, ceiling),
});

/** Least tip (or single gas price) that nodes of the chain take by default, in wei per unit of gas. */
const leastTipOf = ({ definition }: Pick<Chain, 'definition'>): bigint =>
  parseGwei((definition.leastTipGwei ?? LEAST_TIP_GWEI).toString());

/**
 * Fees to offer for a transaction sent now: medians of the nodes, so that no single one of three sets them. Of two nodes
 * the higher base fee counts, which is a cap and not what is paid, and the lower tip or single gas price, which is paid.
 * The tip is at least what nodes take by default. The fees are at most the chain's highest one; above it a transaction
 * waits for cheaper gas. The price is the lower one of two: a node that lies makes no transaction too expensive.
 */
export async function feesFor(chain: Chain): Promise<FeeOffers> {
  const isLegacy = chain.definition.feeStyle === 'legacy';
  const [baseFee, tip] = isLegacy
    ? [NO_BASE_FEE, await answeredMedians(chain, (node) => node.getGasPrice())]
    : await Promise.all([mediansOf(chain, baseFeeOf), answeredMedians(chain, tipOf)]);
  const highest = (maxFeeOf(chain) * FIRST_OFFER_PERCENT) / 100n;
  const least = leastTipOf(chain);
  // A lone node of several sets no tip.
  const most =
    tip.answers < witnessesNeeded(chain) ? smaller(RISE.leastTips * least, highest) : highest;
  const offered = smaller(larger(tip.lower, least), most);
  const higherTip = smaller(larger(tip.higher, least), most);
  const cheap = larger(RISE.baseFees * baseFee.lower, RISE.leastTips * least);
  const risenTip = smaller(higherTip, larger(cheap, offered));
  const maxFeePerGas = smaller(baseFee.higher * BASE_FEE_HEADROOM + offered, highest);
  return {
    ...{ maxFeePerGas, maxPriorityFeePerGas: offered, risenTip },
    price: smaller(baseFee.lower + tip.lower, maxFeePerGas),
    higherPrice: baseFee.higher + (isLegacy ? higherTip : risenTip),
  };
}

const NO_BASE_FEE: Medians = { lower: 0n, higher: 0n };

async function baseFeeOf(node: EndpointClient): Promise<bigint> {
  const { baseFeePerGas } = await node.getBlock({ blockTag: 'latest' });
  return baseFeePerGas ?? node.getGasPrice();
}

async function tipOf(node: EndpointClient): Promise<bigint> {
  const tip = await node.estimateMaxPriorityFeePerGas().catch(() => null);
  if (tip !== null) return tip;
  const [baseFee, gasPrice] = await Promise.all([baseFeeOf(node), node.getGasPrice()]);
  return gasPrice > baseFee ? gasPrice - baseFee : 0n;
}

/**
 * Median of the nodes' answers, of an even number one of the middle two.
 * @throws when no node answers
 */
export const medianOf = async (
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (node: EndpointClient) => Promise<bigint>,
  middle: 'lower' | 'higher',
): Promise<bigint> => (await mediansOf(chain, ask))[middle];

/**
 * Whether most of the nodes that answer say so; an even number of them that differ count as `ofTwo`.
 * @throws when no node answers
 */
export const mostNodesSay = async (
  chain: Pick<Chain, 'name' | 'endpoints'>,
  says: (node: EndpointClient) => Promise<boolean>,
  ofTwo: boolean,
): Promise<boolean> => {
  const ask = async (node: EndpointClient) => ((await says(node)) ? 1n : 0n);
  return (await medianOf(chain, ask, ofTwo ? 'higher' : 'lower')) === 1n;
};

/** @throws when no node answers */
export async function mediansOf(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (node: EndpointClient) => Promise<bigint>,
): Promise<Medians> {
  const { lower, higher } = await answeredMedians(chain, ask);
  return { lower, higher };
}

async function answeredMedians(
  { name, endpoints }: Pick<Chain, 'name' | 'endpoints'>,
  ask: (node: EndpointClient) => Promise<bigint>,
): Promise<Answered> {
  const { values, reasons } = await settleWithGrace(endpoints.map(ask), STRAGGLER_MS, QUORUM);
  const lower = median(values, 'lower');
  const higher = median(values, 'higher');
  if (lower !== undefined && higher !== undefined) return { lower, higher, answers: values.length };
  throw reasons.length === 1
    ? reasons[0]
    : new NodesUnavailableError(`no endpoint of ${name} answered`, reasons);
}

/** Native currency of an account in wei, by the nodes' median. */
export const balanceOf = (chain: Chain, address: Address): Promise<bigint> =>
  medianOf(chain, (node) => node.getBalance({ address }), 'higher');

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Formats fees for the fee model of the chain. */
export const offeredFees = (
  { feeStyle }: Pick<ChainDefinition, 'feeStyle'>,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionFees,
): OfferedFees =>
  feeStyle === 'legacy'
    ? { type: 'legacy', gasPrice: maxFeePerGas }
    : { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas };
