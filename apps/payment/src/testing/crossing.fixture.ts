import type { PlannedLeg, TokenIdentifier, WithdrawalState } from '@bascule/contracts';
import { developmentAccounts } from '@bascule/local-stack';
import type { RunningService } from '@bascule/service-host';
import {
  attesterOracleAbi,
  FILL_OUTCOMES,
  fillAttestationTypedData,
  intentEscrowAbi,
  orderedSignatures,
  orderId,
  parseOrder,
  refundText,
  withdrawalNonce,
} from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import { erc20Abi, zeroAddress } from 'viem';
import type { Address, Hash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { aBridgedQuote, ESCROW } from './a-bridged-payment.fixture.js';
import { FEE_RECEIVER, USDC } from './a-quote.fixture.js';
import type { ChainUnderTest } from './chain-under-test.fixture.js';
import { SOLVER_FEE } from './simulated-solver.fixture.js';
import { onChain } from './payment-stack.fixture.js';
import type { PaymentStack } from './payment-stack.fixture.js';

export const CHAINS = ['alphanet', 'betanet'];
export const BETA_USDC = onChain('betanet', USDC);
const [faucet, , , , , outsider] = developmentAccounts;

/** Network fee of the second leg, in USDC. */
export const SECOND_FEE = 200_000n;

export interface CrossingWish {
  /** On alphanet. */
  input: TokenIdentifier;
  /** On betanet. */
  output: TokenIdentifier;
  amount: bigint;
  fee?: bigint;
  owner?: Address;
  useIntentRefund?: boolean;
  /** Default: an hour. */
  expirationSeconds?: number;
}

/** A confirmed payment from alphanet to betanet, by USDC through the escrow. */
export async function confirmCrossing(
  stack: PaymentStack,
  service: RunningService,
  wish: CrossingWish,
): Promise<PaymentRecord> {
  const fee = wish.fee ?? 0n;
  const bridged = await stack.quote(wish.input, USDC, wish.amount - fee);
  const delivered = bridged - SOLVER_FEE;
  const output = await stack.quote(BETA_USDC, wish.output, delivered - SECOND_FEE);
  const less = (amount: bigint) => ((amount * 990n) / 1000n).toString();
  const legs: PlannedLeg[] = [
    {
      chain: 'alphanet',
      input_token: wish.input,
      input_amount: wish.amount.toString(),
      max_input: wish.amount.toString(),
      fees: fee === 0n ? [] : [network(fee)],
      output_token: USDC,
      output_amount: bridged.toString(),
      min_output: wish.input === USDC ? bridged.toString() : less(bridged),
      bridge: {
        name: 'intent_escrow',
        adapter: ESCROW,
        delivered_amount: delivered.toString(),
        min_bridged: less(delivered),
      },
    },
    {
      chain: 'betanet',
      input_token: BETA_USDC,
      input_amount: delivered.toString(),
      max_input: ((delivered * 105n) / 100n).toString(),
      fees: [network(SECOND_FEE)],
      output_token: wish.output,
      output_amount: output.toString(),
      min_output: less(output),
    },
  ];
  // Clocks of chains that a test has moved are ahead of the service's.
  return stack.confirmPlan(service, legs, { expirationSeconds: 3_600, ...wish }, aBridgedQuote());
}

export const network = (amount: bigint) =>
  ({ kind: 'network', receiver: FEE_RECEIVER, amount: amount.toString() }) as const;

export function orderOf({ id, legs }: PaymentRecord, legIndex = 0): Order {
  const transfer = legs[legIndex]?.transfer;
  if (!transfer) throw new Error(`payment ${id} has no order`);
  return parseOrder(transfer.transfer.details);
}

/** Fills an order once, as the solver. */
export async function fill(
  destination: ChainUnderTest,
  payment: PaymentRecord,
  legIndex = 0,
): Promise<Hash> {
  const amount = BigInt(payment.plan.legs[legIndex]?.bridge?.delivered_amount ?? '0');
  const order = orderOf(payment, legIndex);
  const solver = destination.wallet(privateKeyToAccount(faucet.privateKey));
  const nonce = await destination.node.getTransactionCount({ address: solver.account.address });
  const gas = 300_000n;
  await solver.writeContract({
    address: order.outputToken,
    abi: erc20Abi,
    functionName: 'approve',
    args: [ESCROW, amount],
    nonce,
    gas,
  });
  return solver.writeContract({
    address: ESCROW,
    abi: intentEscrowAbi,
    functionName: 'fill',
    args: [order, amount, solver.account.address],
    nonce: nonce + 1,
    gas,
  });
}

/** Attests that the order is unfilled, and has the owner's signed refund mined from outside. */
export async function refundFromOutside(
  origin: ChainUnderTest,
  payment: PaymentRecord,
  owner: PrivateKeyAccount,
  legIndex = 0,
): Promise<Hash> {
  await origin.mined(await attestUnfilled(origin, payment, legIndex));
  const hash = await submitSignedRefund(origin, payment, owner, { legIndex });
  await origin.mined(hash);
  return hash;
}

/** Submits the attesters' report that the order is unfilled. */
export async function attestUnfilled(
  origin: ChainUnderTest,
  payment: PaymentRecord,
  legIndex = 0,
): Promise<Hash> {
  const order = orderOf(payment, legIndex);
  return origin.wallet(privateKeyToAccount(outsider.privateKey)).writeContract({
    address: order.oracle,
    abi: attesterOracleAbi,
    functionName: 'attest',
    args: [orderId(order, ESCROW), FILL_OUTCOMES.unfilled, zeroAddress, await saidUnfilled(order)],
    gas: 500_000n,
  });
}

/**
 * Submits the owner's signed refund.
 * @param options.priorityFee wei per gas: the higher one comes first in a block
 */
export async function submitSignedRefund(
  origin: ChainUnderTest,
  payment: PaymentRecord,
  owner: PrivateKeyAccount,
  { priorityFee = 10n ** 9n, legIndex = 0 }: { priorityFee?: bigint; legIndex?: number } = {},
): Promise<Hash> {
  const order = orderOf(payment, legIndex);
  const { timestamp } = await origin.node.getBlock();
  const instruction = {
    recipient: owner.address,
    feeReceiver: zeroAddress,
    fee: 0n,
    validUntil: timestamp + 1_800n,
  };
  const signature = await owner.signMessage({ message: refundText(order, instruction, ESCROW) });
  return origin.wallet(privateKeyToAccount(outsider.privateKey)).writeContract({
    address: ESCROW,
    abi: intentEscrowAbi,
    functionName: 'refund',
    args: [order, instruction, signature],
    maxPriorityFeePerGas: priorityFee,
    maxFeePerGas: priorityFee + 10n ** 10n,
    gas: 500_000n,
  });
}

/** Refunds the order to its wallet from outside the service; it has expired or its outcome is recorded. */
export async function refundToWalletFromOutside(
  origin: ChainUnderTest,
  payment: PaymentRecord,
): Promise<Hash> {
  const sender = origin.wallet(privateKeyToAccount(outsider.privateKey));
  const hash = await sender.writeContract({
    address: ESCROW,
    abi: intentEscrowAbi,
    functionName: 'refundToWallet',
    args: [orderOf(payment)],
  });
  await origin.mined(hash);
  return hash;
}

/** State of the withdrawal service after a successful refund. */
export function refundReported(payment: PaymentRecord, recipient: Address): WithdrawalState {
  const withdrawId = uuidv7();
  const now = new Date();
  return {
    version: 3,
    withdraw_id: withdrawId,
    payment_id: payment.id,
    org_id: payment.orgId,
    chain: 'alphanet',
    wallet_address: payment.walletAddress,
    withdraw_account: 'INTENT',
    order_id: orderId(orderOf(payment), ESCROW),
    token_amounts: [],
    recipient_address: recipient,
    accept_blame: false,
    nonce: withdrawalNonce(
      withdrawId,
      BigInt(Math.floor(now.getTime() / 1000)) + 1_800n,
    ).toString(),
    submitted: true,
    status: 'SUCCESS',
    transaction_hash: null,
    failure: null,
    expires_at: new Date(now.getTime() + 1_800_000).toISOString(),
    updated_at: now.toISOString(),
  };
}

async function saidUnfilled(order: Order) {
  const attestation = {
    orderId: orderId(order, ESCROW),
    outcome: FILL_OUTCOMES.unfilled,
    filler: zeroAddress,
  };
  const about = { chainId: order.originChainId, oracle: order.oracle };
  const attesters = developmentAccounts.filter(({ role }) => role.endsWith('-attester'));
  const signatures = attesters.map(async ({ privateKey }) => {
    const attester = privateKeyToAccount(privateKey);
    const signature = await attester.signTypedData(fillAttestationTypedData(attestation, about));
    return { attester: attester.address, signature };
  });
  return orderedSignatures(await Promise.all(signatures));
}

/** Moves the clocks of these chains, both of one crossing by default, past an order's fill deadline. */
export async function closeWindow(
  stack: PaymentStack,
  payment: PaymentRecord,
  {
    legIndex = 0,
    tokens = [USDC, BETA_USDC],
  }: { legIndex?: number; tokens?: TokenIdentifier[] } = {},
): Promise<void> {
  const { fillDeadline } = orderOf(payment, legIndex);
  for (const token of tokens) await reach(stack.on(token), fillDeadline + 1n);
}

/** Moves both chains' clocks to the order's expiry. */
export async function expireOrder(stack: PaymentStack, payment: PaymentRecord): Promise<void> {
  const { expires } = orderOf(payment);
  for (const token of [USDC, BETA_USDC]) await reach(stack.on(token), expires);
}

/** Moves the clocks of chains that lag behind. */
export async function alignClocks(
  stack: PaymentStack,
  tokens: readonly TokenIdentifier[] = [USDC, BETA_USDC],
): Promise<void> {
  const chains = tokens.map((token) => stack.on(token));
  // The newest block of a chain that has just started may be hours old: only a new one tells its clock.
  await Promise.all(chains.map(({ node }) => node.mine({ blocks: 1 })));
  const blocks = await Promise.all(chains.map(({ node }) => node.getBlock()));
  const latest = blocks.reduce(
    (newest, { timestamp }) => (timestamp > newest ? timestamp : newest),
    0n,
  );
  for (const chain of chains) await reach(chain, latest);
}

async function reach(chain: ChainUnderTest, time: bigint): Promise<void> {
  const { timestamp } = await chain.node.getBlock();
  if (timestamp < time) await chain.letTimePass(Number(time - timestamp));
}
