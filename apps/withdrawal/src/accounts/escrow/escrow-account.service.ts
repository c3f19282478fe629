import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidField, invalidRequest, unavailable } from '@bascule/contracts';
import type { IntentOrder } from '@bascule/contracts';
import {
  ORDER_STATUSES,
  intentEscrowAbi,
  orderId,
  parseOrder,
  refundText,
  serializeOrder,
} from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { refundability } from '@bascule/venues';
import { WithdrawalFeesService, refundGas } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { decodeFunctionResult, encodeFunctionData, getAddress, hashMessage } from 'viem';
import type { Address, Hex } from 'viem';
import { retryFee } from '../../fees/retry-fee.js';
import type { StoredRefund } from '../../life-cycle/stored-refund.js';
import type { WithdrawalRecord } from '../../life-cycle/withdrawal-record.js';
import { RetryLookupService } from '../../payments/retry-lookup.service.js';
import type { SignedPart } from '../../life-cycle/signed-part.js';
import type { ProjectedPayment } from '../../persistence/projected-payment.entity.js';
import type { RequestedToken } from '../../requests/requested-tokens.js';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';
import { retrysFeeIssue, unpricedFeeIssue } from '../reduced-fee-issues.js';
import type {
  RequestedWithdrawal,
  UnsignedAuthorization,
  Submission,
  Observation,
  OutcomeProbe,
  WithdrawalAccount,
} from '../withdrawal-account.js';
import { AttestationsClient } from './attestations.client.js';
import { FillsClient } from './fills.client.js';
import { orderAmountIssue, orderFeeIssue } from './order-amount-issues.js';
import { OrderClosedError } from './order-closed-error.js';
import { OrderStateClient } from './order-state.client.js';
import { refundCall } from './refund-call.js';
import { RefundOutcomeClient } from './refund-outcome.client.js';
import { parseRefund } from './refund.js';

const statusOf = { abi: intentEscrowAbi, functionName: 'statusOf' } as const;

interface RefundFee extends Pick<UnsignedAuthorization, 'reducedFeeIssue' | 'repaidWei'> {
  fee: bigint;
}

interface HeldOrder {
  escrow: Address;
  order: Order;
}

/** Withdraws an unfilled order of the payment's wallet from the escrow (`INTENT`). */
@Injectable()
export class EscrowAccountService implements WithdrawalAccount {
  readonly signing = { type: 'erc191', signature_type: 'EIP191' } as const;

  constructor(
    private readonly chains: Chains,
    private readonly orderStates: OrderStateClient,
    private readonly attestations: AttestationsClient,
    private readonly fills: FillsClient,
    private readonly retries: RetryLookupService,
    private readonly fees: WithdrawalFeesService,
    private readonly outcomes: RefundOutcomeClient,
    private readonly settings: WithdrawalSettings,
  ) {}

  async authorize(request: RequestedWithdrawal): Promise<UnsignedAuthorization> {
    const { payment, chain, recipient, validUntil } = request;
    const token = onlyToken(request.tokens);
    const { escrow, order } = heldOrder(payment, chain, token);
    const issue = orderAmountIssue(token, order.inputAmount);
    if (issue !== null) throw invalidRequest(issue);
    const signatures = await this.requireUnfilled(chain, { escrow, order });
    const { fee, reducedFeeIssue, repaidWei } = await this.fee(request, {
      token,
      order,
      isAttested: signatures === null,
    });
    const feeIssue = orderFeeIssue(token, order.inputAmount, fee);
    if (feeIssue !== null) throw invalidRequest(feeIssue);
    const { feeReceiver } = this.settings;
    const instruction = { recipient, feeReceiver, fee, validUntil };
    const refund: StoredRefund = {
      order_id: orderId(order, escrow),
      escrow,
      order: serializeOrder(order),
      recipient,
      fee_receiver: feeReceiver,
      fee: fee.toString(),
      valid_until: validUntil.toString(),
    };
    return {
      text: refundText(order, instruction, escrow),
      acceptBlame: false,
      refund,
      reducedFeeIssue,
      repaidWei,
    };
  }

  signedPartOf(payload: string): SignedPart {
    return { text: payload };
  }

  digest({ authorization }: WithdrawalRecord): Hex {
    return hashMessage(authorization);
  }

  async submission(record: WithdrawalRecord, signature: Hex): Promise<Submission> {
    const chain = this.chains.get(record.chain);
    const refund = parseRefund(storedRefund(record));
    const attesters = await this.requireUnfilled(chain, refund);
    const { multicall3 } = chain.definition.contracts;
    const call = refundCall(refund, signature, { multicall3, attesters });
    return { ...call, paidGas: refundGas({ isAttested: attesters === null }) };
  }

  probe(record: WithdrawalRecord): OutcomeProbe {
    const { escrow, orderId: id } = parseRefund(storedRefund(record));
    return {
      to: escrow,
      data: encodeFunctionData({ ...statusOf, args: [id] }),
      isUnused: (data) => {
        const status =
          data === '0x' ? undefined : ORDER_STATUSES[decodeFunctionResult({ ...statusOf, data })];
        return status !== undefined && status !== 'REFUNDED' && status !== 'RELEASED';
      },
    };
  }

  observe(record: WithdrawalRecord, isDoubted: boolean): Promise<Observation> {
    const chain = this.chains.get(record.chain);
    const refund = { stored: storedRefund(record), fromBlock: record.fromBlock };
    return this.outcomes.observe(chain, refund, isDoubted);
  }

  /**
   * Returns the attesters' signatures that the order was not filled; null when the escrow needs none.
   * @throws ServiceError when the order cannot be refunded to the owner, or not yet
   */
  private async requireUnfilled(
    chain: Chain,
    { escrow, order }: HeldOrder,
  ): Promise<readonly Hex[] | null> {
    const found = refundability(order, await this.orderStates.readDecisive(chain, escrow, order));
    switch (found.kind) {
      case 'refundable':
        return null;
      case 'refunded':
        throw new OrderClosedError('refunded');
      case 'filled':
        throw new OrderClosedError('filled');
      case 'early':
        throw invalidRequest({
          kind: 'other',
          message: `The order may still be filled. Withdraw it after ${instant(found.from)}.`,
        });
      case 'unknown':
        throw unavailable(`Order not found on ${chain.definition.network}. Try again later.`);
      case 'unattested':
      case 'expired': {
        const attestation = await this.attestations.collect(chain, order, escrow);
        if (attestation?.outcome === 'FILLED') throw new OrderClosedError('filled');
        if (attestation !== null) return found.kind === 'expired' ? null : attestation.signatures;
        if (await this.isFilled({ escrow, order })) throw new OrderClosedError('filled');
        if (found.kind === 'expired') return null;
        throw unavailable(
          `The order is not confirmed as unfilled yet. Try again later, ` +
            `at the latest after ${instant(order.expires)}.`,
        );
      }
    }
  }

  /**
   * Reads the fill from the destination chain when no quorum of attesters answers. Without this check an expired order
   * would be refunded although its filler is owed the money.
   * @throws ServiceError when the destination cannot be read
   */
  private isFilled({ escrow, order }: HeldOrder): Promise<boolean> {
    const destination = this.chains.byChainId(order.destinationChainId);
    if (destination === undefined) {
      throw unavailable(`Could not read the chain ${order.destinationChainId}. Try again later.`);
    }
    const { fillDeadline } = order;
    return this.fills.isCertainlyFilled(destination, {
      escrow,
      orderId: orderId(order, escrow),
      fillDeadline,
    });
  }

  private async fee(
    { caller, chain, payment, recipient }: RequestedWithdrawal,
    { token, order, isAttested }: { token: RequestedToken; order: Order; isAttested: boolean },
  ): Promise<RefundFee> {
    const [{ fee: full, isGasRepaid, repaidWei }, retry] = await Promise.all([
      this.fees.quoteRefund(chain, token, { isAttested }),
      this.retries.find(caller, recipient, payment),
    ]);
    if (!isGasRepaid) {
      const reducedFeeIssue = unpricedFeeIssue([token], remedyFor(order, chain));
      return { fee: full, repaidWei, reducedFeeIssue };
    }
    if (retry?.depositToken !== token.id) return { fee: full, repaidWei, reducedFeeIssue: null };
    const needed = retry.requiredDeposit;
    const { fee, isReduced } = retryFee(full, token.amount, needed);
    const reducedFeeIssue = isReduced
      ? retrysFeeIssue({ token, full, needed, held: token.amount })
      : null;
    return { fee, repaidWei, reducedFeeIssue };
  }
}

const remedyFor = ({ expires }: Order, { definition }: Chain): string =>
  `Wait for a price, or call refundToWallet of the escrow after ${instant(expires)} ` +
  `and withdraw from the wallet together with ${definition.nativeCurrency.symbol}.`;

const instant = (seconds: bigint): string => new Date(Number(seconds) * 1_000).toISOString();

function onlyToken(tokens: readonly RequestedToken[]): RequestedToken {
  const [token, second] = tokens;
  if (token === undefined || second !== undefined) {
    throw invalidField(['token_amounts'], 'An order holds exactly one token.');
  }
  return token;
}

/** Finds the token's newest order without a known end. */
function heldOrder(payment: ProjectedPayment, chain: Chain, token: RequestedToken): HeldOrder {
  const orders = payment.intentOrders.filter(
    (order) => order.chain === chain.name && order.token === token.id,
  );
  const held = orders.findLast(({ status }) => status === 'OPEN' || status === 'UNFILLED');
  if (held !== undefined) return readOrder(held);
  if (orders.some(({ status }) => status === 'FILLED')) throw new OrderClosedError('filled');
  if (orders.length > 0) throw new OrderClosedError('refunded');
  throw invalidField(['withdraw_account'], 'The payment has no open order of this token.');
}

const readOrder = ({ escrow, order }: IntentOrder): HeldOrder => ({
  escrow: getAddress(escrow),
  order: parseOrder(order),
});

function storedRefund({ id, refund }: WithdrawalRecord): StoredRefund {
  if (refund === null) throw new Error(`withdrawal ${id} refunds no order`);
  return refund;
}
