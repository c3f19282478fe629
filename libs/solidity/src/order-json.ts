import { type Address, getAddress } from 'viem';
import type { Order } from './intent-order.js';
import { StrictReader } from './strict-reader.js';

/** An order as it travels: integers as decimal strings, checksummed addresses. */
export interface OrderJson {
  wallet: Address;
  owner: Address;
  origin_chain_id: string;
  input_token: Address;
  input_amount: string;
  destination_chain_id: string;
  output_token: Address;
  recipient: Address;
  minimum: string;
  nonce: string;
  fill_deadline: string;
  expires: string;
  oracle: Address;
}

export function serializeOrder(order: Order): OrderJson {
  return {
    wallet: getAddress(order.wallet),
    owner: getAddress(order.owner),
    origin_chain_id: order.originChainId.toString(),
    input_token: getAddress(order.inputToken),
    input_amount: order.inputAmount.toString(),
    destination_chain_id: order.destinationChainId.toString(),
    output_token: getAddress(order.outputToken),
    recipient: getAddress(order.recipient),
    minimum: order.minimum.toString(),
    nonce: order.nonce.toString(),
    fill_deadline: order.fillDeadline.toString(),
    expires: order.expires.toString(),
    oracle: getAddress(order.oracle),
  };
}

/**
 * The inverse of `serializeOrder`, for JSON from anywhere.
 * @throws MalformedJsonError for anything but an order, unknown keys included.
 */
export function parseOrder(json: unknown): Order {
  const order = new StrictReader(json, 'order').fields([
    'wallet',
    'owner',
    'origin_chain_id',
    'input_token',
    'input_amount',
    'destination_chain_id',
    'output_token',
    'recipient',
    'minimum',
    'nonce',
    'fill_deadline',
    'expires',
    'oracle',
  ]);
  return {
    wallet: order.wallet.address(),
    owner: order.owner.address(),
    originChainId: order.origin_chain_id.integer(),
    inputToken: order.input_token.address(),
    inputAmount: order.input_amount.integer(),
    destinationChainId: order.destination_chain_id.integer(),
    outputToken: order.output_token.address(),
    recipient: order.recipient.address(),
    minimum: order.minimum.integer(),
    nonce: order.nonce.integer(),
    fillDeadline: order.fill_deadline.integer(),
    expires: order.expires.integer(),
    oracle: order.oracle.address(),
  };
}
