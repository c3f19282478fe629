import { Chains, refusedAddresses } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidField, invalidRequest } from '@bascule/contracts';
import type { WithdrawResponse } from '@bascule/contracts';
import type { AnswerSlot } from '@bascule/idempotency';
import { visitorOf } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { faultPoint } from '@bascule/process';
import { withdrawalNonce } from '@bascule/solidity';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { getAddress } from 'viem';
import type { Address } from 'viem';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import { DEFAULT_ACCOUNT } from '../requests/default-account.js';
import { StateTokensService } from '../requests/state-tokens.service.js';
import { OwnerContractClient } from '../payments/owner-contract.client.js';
import { PaymentAccessService } from '../payments/payment-access.service.js';
import { RecordedMoneyService } from '../payments/recorded-money.service.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { UnsignedQuotaRepository } from '../persistence/unsigned-quota.repository.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalScreeningService } from '../screening/withdrawal-screening.service.js';
import type { NewWithdrawal } from '../persistence/withdrawal.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { UnsubmittedChecksService } from '../settlement/unsubmitted-checks.service.js';
import { chainMoment } from './chain-moment.client.js';
import { recipientProblem } from './recipient-problem.js';
import { ReducedFeesService } from './reduced-fees.service.js';
import { chainOfTokens, requestedTokens } from '../requests/requested-tokens.js';
import type { RequestedToken } from '../requests/requested-tokens.js';
import { mustRepayGas, unpaidGas } from '../fees/live-recovery.js';
import type { WithdrawDto } from './withdraw.dto.js';

/** Creates a withdrawal and returns the authorization for the owner to sign. */
@Injectable()
export class WithdrawService {
  constructor(
    private readonly chains: Chains,
    private readonly payments: PaymentAccessService,
    private readonly records: RecordedMoneyService,
    private readonly quota: UnsignedQuotaRepository,
    private readonly projections: ProjectionsRepository,
    private readonly owners: OwnerContractClient,
    private readonly screening: WithdrawalScreeningService,
    private readonly accounts: WithdrawalAccountsService,
    private readonly reducedFees: ReducedFeesService,
    private readonly withdrawals: WithdrawalRepository,
    private readonly stateTokens: StateTokensService,
    private readonly checks: UnsubmittedChecksService,
    private readonly settings: WithdrawalSettings,
  ) {}

  /** @throws ServiceError, 429 where the organisation or the visitor has used up its quota of unsigned withdrawals */
  async request(
    caller: Caller,
    request: WithdrawDto,
    slot?: AnswerSlot,
  ): Promise<WithdrawResponse> {
    const moved = { paymentId: request.payment_id, tokenAmounts: request.token_amounts };
    const payment = await this.payments.getMovable(caller, moved);
    const withdrawAccount = request.withdraw_account ?? DEFAULT_ACCOUNT;
    const account = this.accounts.get(withdrawAccount);
    const chain = this.chainOf(request);
    const tokens = requestedTokens(
      request.token_amounts,
      await this.projections.tokens(request.token_amounts.map(({ token }) => token)),
    );
    const recipient = this.recipientOf(request, chain, payment, tokens);
    const visitor = visitorOf(caller);
    await this.quota.check({ orgId: payment.orgId, paymentId: payment.id, visitor });
    const id = uuidv7();
    const tokenAmounts = request.token_amounts.map(({ token, amount }) => ({ token, amount }));
    const [{ validUntil, fromBlock }] = await Promise.all([
      this.validity(chain),
      this.owners.requireDeployed(chain, payment),
    ]);
    const nonce = withdrawalNonce(id, validUntil);
    const requested = { caller, payment, chain, tokens, recipient, nonce, validUntil };
    const { text, acceptBlame, refund, reducedFeeIssue, repaidWei } =
      await account.authorize(requested);
    const repaysGas = mustRepayGas(caller, chain);
    if (reducedFeeIssue !== null && repaysGas) throw unpaidGas(chain);
    if (withdrawAccount === 'SPW' && (await this.records.awaited(caller, chain, payment, tokens))) {
      await this.payments.getMovable(caller, moved);
    }
    // Last, since a question to a source may cost money: a request that is refused anyway asks none.
    const { orgId, ownerAddress, declaration } = payment;
    const parties = { ownerAddress, declaration, recipientAddress: recipient };
    await this.screening.requireClear(
      { id, paymentId: payment.id, orgId, tokenAmounts, ...parties },
      'check',
    );
    const reducedFeeRoot = await this.reducedFees.rootFor(payment, reducedFeeIssue);
    const expiresAt = new Date(Number(validUntil) * 1_000);
    const answer: WithdrawResponse = {
      ...account.signing,
      payment_id: payment.id,
      withdraw_id: id,
      withdraw_authorization: text,
      state_token: await this.stateTokens.seal({ withdrawId: id, orgId: payment.orgId }, expiresAt),
    };
    const fields: NewWithdrawal = {
      id,
      paymentId: payment.id,
      orgId: payment.orgId,
      chain: chain.name,
      walletAddress: payment.walletAddress,
      ownerAddress: payment.ownerAddress,
      withdrawAccount,
      tokenAmounts,
      recipientAddress: recipient.toLowerCase(),
      acceptBlame,
      nonce,
      declaration: payment.declaration,
      authorization: text,
      refund,
      reducedFeeRoot,
      maxCostWei: repaysGas ? repaidWei : null,
      repaidWei,
      fromBlock,
      expiresAt,
    };
    const firstCheckMs = this.checks.untilExpiry(chain, { expiresAt }, new Date());
    await this.withdrawals.insert(fields, { visitor, firstCheckMs }, await slot?.seal(answer));
    faultPoint('withdrawal.authorised');
    return answer;
  }

  /** Takes the later of the chain's clock and ours: the chain's decides the expiry, but lags between blocks. */
  private async validity(chain: Chain): Promise<{ validUntil: bigint; fromBlock: bigint }> {
    const now = await this.withdrawals.now();
    const seconds = BigInt(Math.floor(now.getTime() / 1_000));
    const { number, timestamp } = await readChain(
      chain.name,
      this.settings.balanceTimeoutMs,
      chainMoment(chain, seconds),
    );
    const later = timestamp > seconds ? timestamp : seconds;
    return { validUntil: later + BigInt(this.settings.lifetimeSeconds), fromBlock: number };
  }

  private chainOf(request: WithdrawDto): Chain {
    const name = chainOfTokens(request.token_amounts);
    const chain = this.chains.find(name);
    if (chain === undefined) {
      throw invalidField(['token_amounts', 0, 'token'], `Unknown chain ${name}.`);
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
}
