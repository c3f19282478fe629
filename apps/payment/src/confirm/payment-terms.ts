import type {
  KeyMode,
  PlannedLeg,
  Quote,
  PaymentPlan,
  QuoteState,
  TokenIdentifier,
} from '@bascule/contracts';
import { parseTokenIdentifier, testOutcomeOf } from '@bascule/contracts';
import {
  declarationHash,
  oneTimeWalletAddress,
  serializeDeclaration,
  uuidToBytes16,
} from '@bascule/solidity';
import type { Call, Declaration, Leg } from '@bascule/solidity';
import { getAddress, zeroAddress } from 'viem';
import type { Address } from 'viem';
import type { ClientRedirectAfter, PaymentTerms } from '../life-cycle/payment-record.js';
import { customCalls } from './custom-calls.js';

/** Parts of the quote's state that a confirmation needs besides the chosen quote. */
export type QuotedFacts = Omit<QuoteState, 'quotes'>;

/** Mode of the key that quoted. */
export const quotedMode = ({ mode = 'live' }: QuotedFacts): KeyMode => mode;

/** Client's part of a confirmation. */
export interface Confirmation {
  state: QuotedFacts;
  quote: Quote;
  plan: PaymentPlan;
  ownerAddress: Address;
  destinationAddress: Address;
  ownerChain: string | undefined;
  /** Chains of an owner that is a contract; null for a key, which signs everywhere, or an account not deployed yet. */
  ownerChains: readonly string[] | null;
  isUnsafeOwnerAllowed: boolean;
  expirationMinutes: number;
  clientRedirectUrl: string | undefined;
  clientRedirectAfter: ClientRedirectAfter | undefined;
}

/** Deployment's part of a declaration. */
export interface DeclarationContext {
  factory: Address;
  executor: Address;
  chainIdOf: (chain: string) => number;
  /** Time from the end of funding to the declaration's expiry. */
  executionWindowMs: (funding: PaymentPlan['funding']['kind']) => number;
  decimals: Record<TokenIdentifier, number>;
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * @param confirmedBy latest time of the confirm, which fixes the declaration: a signature may have to cover it before
 * @throws CustomActionError
 */
export function paymentTerms(
  confirmation: Confirmation,
  context: DeclarationContext,
  now: Date,
  confirmedBy: Date = now,
): PaymentTerms {
  const { state, quote, plan } = confirmation;
  const fundingMs = fundingTimeMs(confirmation);
  const initiateFundBy = new Date(now.getTime() + fundingMs);
  const fundedBy = new Date(confirmedBy.getTime() + fundingMs);
  const expiry = expiryOf(fundedBy, context.executionWindowMs(plan.funding.kind));
  const declaration = declarationOf(confirmation, context, expiry);
  return {
    id: quote.payment_id,
    orgId: state.org_id,
    mode: quotedMode(state),
    createdAt: now,
    initiateFundBy,
    declarationExpiresAt: new Date(Number(expiry) * SECOND_MS),
    ownerChain: confirmation.ownerChain ?? depositChain(plan),
    ownerAddress: declaration.owner,
    ownerChains: confirmation.ownerChains,
    destinationAddress: declaration.destination,
    walletAddress: oneTimeWalletAddress(declaration),
    declaration: serializeDeclaration(declaration),
    declarationHash: declarationHash(declaration),
    plan,
    quoted: quote,
    quoteRequest: state.quote_request,
    currentPrices: state.current_prices,
    priceCurrency: state.price_currency,
    decimals: context.decimals,
    geolocation: state.geolocation,
    clientRedirectUrl: confirmation.clientRedirectUrl ?? null,
    clientRedirectAfter: confirmation.clientRedirectAfter ?? null,
  };
}

function fundingTimeMs({ state, expirationMinutes }: Confirmation): number {
  const seconds = testOutcomeOf(state.quote_request)?.fundingSeconds ?? null;
  return seconds === null ? expirationMinutes * MINUTE_MS : seconds * SECOND_MS;
}

export const depositChain = ({ deposit }: PaymentPlan): string =>
  parseTokenIdentifier(deposit.token).chain;

const expiryOf = (fundedBy: Date, windowMs: number): bigint =>
  BigInt(Math.ceil((fundedBy.getTime() + windowMs) / SECOND_MS));

function declarationOf(
  { quote, plan, state, ownerAddress, destinationAddress }: Confirmation,
  context: DeclarationContext,
  expiry: bigint,
): Declaration {
  const calls = customCalls(state.quote_request.request.custom_actions);
  const last = plan.legs.length - 1;
  return {
    factory: context.factory,
    paymentId: uuidToBytes16(quote.payment_id),
    owner: getAddress(ownerAddress.toLowerCase()),
    executor: context.executor,
    destination: getAddress(destinationAddress.toLowerCase()),
    expiry,
    legs: plan.legs.map((leg, index) =>
      declaredLeg(leg, context.chainIdOf(leg.chain), index === last ? calls : []),
    ),
  };
}

function declaredLeg(leg: PlannedLeg, chainId: number, calls: readonly Call[]): Leg {
  return {
    chainId: BigInt(chainId),
    inputToken: parseTokenIdentifier(leg.input_token).address,
    maxInput: BigInt(leg.max_input),
    fees: leg.fees.map(({ receiver, amount }) => ({
      receiver: getAddress(receiver),
      cap: BigInt(amount),
    })),
    outputToken: parseTokenIdentifier(leg.output_token).address,
    minOutput: BigInt(leg.min_output),
    customCalls: calls,
    bridgeAdapter: leg.bridge ? getAddress(leg.bridge.adapter) : zeroAddress,
    minBridged: BigInt(leg.bridge?.min_bridged ?? 0),
  };
}

/** Tokens whose amounts the payment shows. */
export const tokensOf = (plan: PaymentPlan): TokenIdentifier[] => [
  ...new Set([
    plan.deposit.token,
    ...plan.legs.flatMap(({ input_token, output_token }) => [input_token, output_token]),
  ]),
];
