import { Chains, refusedAddresses } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidField, invalidRequest, unavailable } from '@bascule/contracts';
import type { WithdrawResponse } from '@bascule/contracts';
import type { Caller } from '@bascule/http';
import { faultPoint } from '@bascule/process';
import {
  declarationHash,
  parseDeclaration,
  serviceAuthorizationPayload,
  withdrawalNonce,
} from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { getAddress } from 'viem';
import type { Address } from 'viem';
import { TokenBalancesClient } from '../balances/token-balances.client.js';
import { within } from '../chain/within.js';
import { StateTokens } from '../confirm/state-tokens.service.js';
import { cappedFee } from '../fees/withdrawal-fee.js';
import { WithdrawalFees } from '../fees/withdrawal-fees.service.js';
import { PaymentAccess } from '../payments/payment-access.service.js';
import { RetryLookup } from '../payments/retry-lookup.service.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalSettings } from '../withdrawal-settings.config.js';
import { acceptsBlame } from './accept-blame.js';
import { recipientProblem } from './refused-recipients.js';
import { amountIssue, chainOfTokens, requestedTokens } from './requested-tokens.js';
import type { RequestedToken } from './requested-tokens.js';
import { UnfinishedLegClient } from './unfinished-leg.client.js';
import type { WithdrawDto } from './withdraw.dto.js';
import { describeWithdrawal, withdrawalActions } from './withdrawal-actions.js';
import type { Payout } from './withdrawal-actions.js';

interface HeldPayout extends Payout {
  id: RequestedToken['id'];
  balance: bigint;
}

/** `POST /payments/withdraw`: what the owner has to sign to move money out of a payment's wallet. */
@Injectable()
export class WithdrawService {
  constructor(
    private readonly chains: Chains,
    private readonly payments: PaymentAccess,
    private readonly projections: ProjectionsRepository,
    private readonly retries: RetryLookup,
    private readonly balances: TokenBalancesClient,
    private readonly fees: WithdrawalFees,
    private readonly legs: UnfinishedLegClient,
    private readonly withdrawals: WithdrawalRepository,
    private readonly stateTokens: StateTokens,
    private readonly settings: WithdrawalSettings,
  ) {}

  async request(caller: Caller, request: WithdrawDto): Promise<WithdrawResponse> {
    const payment = await this.payments.movable(caller, request.payment_id);
    const chain = this.chainOf(request);
    const tokens = requestedTokens(
      request.token_amounts,
      await this.projections.tokens(request.token_amounts.map(({ token }) => token)),
    );
    const recipient = this.recipientOf(request, chain, payment, tokens);
    const [payouts, leg, fromBlock] = await Promise.all([
      this.payouts(chain, payment, tokens, recipient),
      this.legs.on(chain, payment),
      within(chain.name, this.settings.balanceTimeoutMs, chain.client.getBlockNumber()),
    ]);
    const now = await this.withdrawals.now();
    const diesAt = Math.floor(now.getTime() / 1_000) + this.settings.lifetimeSeconds;
    const id = uuidv7();
    const nonce = withdrawalNonce(id, BigInt(diesAt));
    const acceptBlame = acceptsBlame(
      payment.status,
      leg,
      payouts.map((payout) => ({ ...payout, token: payout.id })),
    );
    const typedData = serviceAuthorizationPayload({
      description: describeWithdrawal(payouts, {
        paymentId: payment.id,
        network: chain.definition.network,
        recipient,
      }),
      actions: withdrawalActions(payouts, recipient, this.settings.feeReceiver),
      nonce,
      signatory_declaration_hash: declarationHash(parseDeclaration(payment.declaration)),
      chain_id: BigInt(chain.chainId),
      accept_blame: acceptBlame,
    });
    const expiresAt = new Date(diesAt * 1_000);
    await this.withdrawals.insert({
      id,
      paymentId: payment.id,
      orgId: payment.orgId,
      chain: chain.name,
      walletAddress: payment.walletAddress,
      ownerAddress: payment.ownerAddress,
      withdrawAccount: 'SPW',
      tokenAmounts: request.token_amounts.map(({ token, amount }) => ({ token, amount })),
      recipientAddress: recipient.toLowerCase(),
      acceptBlame,
      nonce,
      declaration: payment.declaration,
      typedData,
      fromBlock,
      expiresAt,
    });
    faultPoint('withdrawal.authorised');
    return {
      type: 'eip712',
      signature_type: 'EIP712',
      payment_id: payment.id,
      withdraw_id: id,
      withdraw_authorization: typedData,
      state_token: await this.stateTokens.seal({ withdrawId: id, orgId: payment.orgId }, expiresAt),
    };
  }

  private chainOf(request: WithdrawDto): Chain {
    if ((request.withdraw_account ?? 'SPW') !== 'SPW') {
      throw invalidField(['withdraw_account'], 'The payment has no such account.');
    }
    const name = chainOfTokens(request.token_amounts);
    const chain = this.chains.find(name);
    if (chain === undefined) {
      throw invalidField(['token_amounts', 0, 'token'], `There is no chain ${name}.`);
    }
    return chain;
  }

  private recipientOf(
    request: WithdrawDto,
    chain: Chain,
    payment: ProjectedPayment,
    tokens: readonly RequestedToken[],
  ): Address {
    const problem = recipientProblem(request.recipient_address, {
      refused: refusedAddresses(chain.definition.contracts),
      wallet: payment.walletAddress,
      tokens: tokens.map(({ address }) => address),
    });
    if (problem !== null) throw invalidRequest({ kind: 'destination', message: problem });
    return getAddress(request.recipient_address.toLowerCase());
  }

  /** @throws ServiceError with every amount that the wallet does not hold or that its fee would eat */
  private async payouts(
    chain: Chain,
    payment: ProjectedPayment,
    tokens: readonly RequestedToken[],
    recipient: Address,
  ): Promise<HeldPayout[]> {
    const owner = payment.walletAddress as Address;
    const [balances, fees, retry] = await Promise.all([
      this.balances.read(
        chain,
        tokens.map(({ address }) => ({ owner, token: address })),
        this.settings.balanceTimeoutMs,
      ),
      this.fees.together(chain, owner, tokens),
      this.retries.at(recipient, payment),
    ]);
    const payouts = tokens.map((token, index): HeldPayout => {
      const fee = fees.get(token.id);
      const balance = balances[index];
      if (fee === undefined || balance === undefined || balance === null) {
        throw unavailable(`${token.symbol} cannot be withdrawn at the moment; try again later.`);
      }
      const isNeeded = retry?.depositToken === token.id;
      const { amount } = token;
      const paid = isNeeded ? cappedFee(fee, amount, retry.requiredDeposit) : fee;
      return { ...token, balance, fee: paid };
    });
    const issues = payouts.flatMap((payout) => {
      const issue = amountIssue(payout, payout.balance, payout.fee);
      return issue === null ? [] : [issue];
    });
    if (issues.length > 0) throw invalidRequest(...issues);
    return payouts;
  }
}
