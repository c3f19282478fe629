import { getAddress, isAddress } from 'viem';
import type { Address } from 'viem';
import { ApiError } from '../api/api-error.js';

export interface QuoteRequest {
  originChainId: number;
  destinationChainId: number;
  inputToken: Address;
  outputToken: Address;
  amount: bigint;
}

const AMOUNT = /^[1-9][0-9]{0,77}$/;

export function readQuoteRequest(body: unknown): QuoteRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body', 'a JSON object');
  }
  const fields = body as Record<string, unknown>;
  return {
    originChainId: chainId(fields, 'origin_chain_id'),
    destinationChainId: chainId(fields, 'destination_chain_id'),
    inputToken: address(fields, 'input_token'),
    outputToken: address(fields, 'output_token'),
    amount: amount(fields, 'amount'),
  };
}

const invalid = (field: string, expected: string): ApiError =>
  new ApiError('invalid_request', `${field} must be ${expected}.`);

function chainId(fields: Record<string, unknown>, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) {
    throw invalid(name, 'a chain id');
  }
  return value;
}

function address(fields: Record<string, unknown>, name: string): Address {
  const value = fields[name];
  if (typeof value !== 'string' || !isAddress(value)) throw invalid(name, 'an address');
  return getAddress(value);
}

function amount(fields: Record<string, unknown>, name: string): bigint {
  const value = fields[name];
  if (typeof value !== 'string' || !AMOUNT.test(value)) {
    throw invalid(name, 'an amount in smallest units, as a string');
  }
  return BigInt(value);
}
