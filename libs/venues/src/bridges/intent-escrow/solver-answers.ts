import type { Address } from 'viem';
import { getAddress, isAddress } from 'viem';
import type { BridgeLimits } from '../bridge.js';

/** The solver's answer violates its API. */
class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';

  constructor(field: string, expected: string) {
    super(`the solver's ${field} is not ${expected}`);
  }
}

export interface SolverRoute {
  originChainId: number;
  destinationChainId: number;
  inputToken: Address;
  outputToken: Address;
}

export interface SolverQuote {
  outputAmount: bigint;
  /** From the order's block until the fill is in a block. */
  fillSeconds: number;
  limits?: BridgeLimits;
}

export interface SolverRefusal {
  message: string;
  limits?: BridgeLimits;
}

type Fields = Readonly<Record<string, unknown>>;

const AMOUNT = /^(0|[1-9][0-9]{0,77})$/;

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableAnswerError(name, 'an object');
  }
  return value as Fields;
}

function count(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new UnreadableAnswerError(name, 'a count');
  }
  return value;
}

function amount(fields: Fields, name: string): bigint {
  const value = fields[name];
  if (typeof value !== 'string' || !AMOUNT.test(value)) {
    throw new UnreadableAnswerError(name, 'an amount in smallest units');
  }
  return BigInt(value);
}

function address(fields: Fields, name: string): Address {
  const value = fields[name];
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) {
    throw new UnreadableAnswerError(name, 'an address');
  }
  return getAddress(value);
}

export function readRoutes(body: unknown): SolverRoute[] {
  const { routes } = fieldsOf(body, 'answer');
  if (!Array.isArray(routes)) throw new UnreadableAnswerError('routes', 'a list');
  return routes.map((item: unknown) => {
    const route = fieldsOf(item, 'route');
    return {
      originChainId: count(route, 'origin_chain_id'),
      destinationChainId: count(route, 'destination_chain_id'),
      inputToken: address(route, 'input_token'),
      outputToken: address(route, 'output_token'),
    };
  });
}

export function readQuote(body: unknown): SolverQuote {
  const quote = fieldsOf(body, 'answer');
  const outputAmount = amount(quote, 'output_amount');
  if (outputAmount === 0n) throw new UnreadableAnswerError('output_amount', 'greater than zero');
  return {
    outputAmount,
    fillSeconds: count(quote, 'fill_seconds'),
    ...(quote.limits === undefined ? {} : { limits: readLimits(quote.limits) }),
  };
}

export function readRefusal(body: unknown): SolverRefusal {
  const { message, limits } = fieldsOf(fieldsOf(body, 'answer').error, 'error');
  if (typeof message !== 'string') throw new UnreadableAnswerError('message', 'a text');
  return limits === undefined ? { message } : { message, limits: readLimits(limits) };
}

function readLimits(value: unknown): BridgeLimits {
  const limits = fieldsOf(value, 'limits');
  return {
    ...(limits.min === undefined ? {} : { min: amount(limits, 'min') }),
    ...(limits.max === undefined ? {} : { max: amount(limits, 'max') }),
  };
}
