import type { DeclarationBody, PaymentState } from '@bascule/contracts';
import { developmentAccounts } from '@bascule/local-stack';
import {
  contractAddresses,
  developmentAddresses,
  oneTimeWalletAddress,
  parseDeclaration,
  serializeDeclaration,
  uuidToBytes16,
} from '@bascule/solidity';
import type { Declaration } from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import { zeroAddress } from 'viem';
import type { Address } from 'viem';
import { ORGANISATION, USDC } from './withdrawal-stage.fixture.js';

const CHAIN = 'alphanet';
const [, , operator] = developmentAccounts;

export interface TestPayment {
  id: string;
  wallet: Address;
  declaration: Declaration;
  state: PaymentState;
}

export interface PaymentChange {
  status?: PaymentState['payment']['status'];
  parent?: string;
  legs?: Declaration['legs'];
}

const usdcLeg = {
  chainId: 31_337n,
  inputToken: developmentAddresses.usdc,
  maxInput: 100_000_000n,
  fees: [],
  outputToken: developmentAddresses.usdc,
  minOutput: 99_000_000n,
  customCalls: [],
  bridgeAdapter: zeroAddress,
  minBridged: 0n,
};

/** 100 USDC through the escrow, of which at least 98 must arrive on the other chain. */
export const bridgingLegs: Declaration['legs'] = [
  { ...usdcLeg, bridgeAdapter: developmentAddresses.intentEscrow, minBridged: 98_000_000n },
  { ...usdcLeg, chainId: 31_338n, maxInput: 104_000_000n, minOutput: 97_000_000n },
];

/** A payment that wants 100 USDC. */
export function aPayment(owner: string, change: PaymentChange = {}): TestPayment {
  const id = uuidv7();
  const declaration: Declaration = {
    factory: contractAddresses.oneTimeWalletFactory,
    paymentId: uuidToBytes16(id),
    owner: owner as Address,
    executor: developmentAddresses.executor,
    destination: operator.address,
    expiry: 2_000_000_000n,
    legs: change.legs ?? [usdcLeg],
  };
  const body: DeclarationBody = serializeDeclaration(declaration);
  const wallet = oneTimeWalletAddress(parseDeclaration(body));
  const now = new Date().toISOString();
  const money = { asset: USDC, amount: '100' };
  const fees = {
    total_fees: '0',
    conversion_fees: '0',
    network_fees: '0',
    business_fees: '0',
    currency_symbol: 'usd',
  };
  const payment: PaymentState['payment'] = {
    payment_id: id,
    org_id: ORGANISATION,
    status: change.status ?? 'EXPIRED',
    funded: true,
    created_at: now,
    updated_at: now,
    initiate_fund_by: now,
    quoted: { output_amount: money, fees, route: [], latency_seconds: 1 },
    fulfilled: { output_amount: money, fees, route: [] },
    current_prices: {},
    price_currency: 'usd',
    processing_addresses: [{ chain: CHAIN, address: wallet, factory: declaration.factory }],
    owner_chain: CHAIN,
    owner_address: owner,
    destination_address: declaration.destination,
    withdrawals: null,
    client_redirect_url: null,
    geolocation: null,
    declaration: body,
    quote_request: {
      request: { kind: 'FIXED_INPUT', fixed_input_amount: money, output_asset: USDC },
    },
    issues: [],
    ...(change.parent === undefined ? {} : { parent_payment_id: change.parent }),
  };
  const required = { token: USDC, amount: '100000000' };
  const state: PaymentState = {
    version: 1,
    payment,
    required_deposit: required,
    senders: 'CLEAR',
  };
  return { id, wallet, declaration, state };
}
