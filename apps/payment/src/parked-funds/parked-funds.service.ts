import type { ParkedFundsResponse } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Injectable } from '@nestjs/common';
import { getAddress } from 'viem';
import { parkedFunds } from '../life-cycle/issues.js';
import { currentHoldings, isEmptied } from '../life-cycle/wallet-readings.js';
import { OwnerVerificationRepository } from '../owners/owner-verification.repository.js';
import { EmptyWalletRepository } from '../persistence/empty-wallet.repository.js';
import { OwnerPaymentsRepository } from '../persistence/owner-payments.repository.js';
import { walletsPerPage } from './page-of-wallets.js';
import type { ParkedFundsDto } from './parked-funds.dto.js';
import { WalletPagesService } from './wallet-pages.service.js';
import { WalletReadingsService } from './wallet-readings.service.js';

/** Lists funds of an owner that are parked in wallets and bridges. */
@Injectable()
export class ParkedFundsService {
  constructor(
    private readonly verifications: OwnerVerificationRepository,
    private readonly payments: OwnerPaymentsRepository,
    private readonly pages: WalletPagesService,
    private readonly readings: WalletReadingsService,
    private readonly emptyWallets: EmptyWalletRepository,
  ) {}

  async list(caller: Caller, request: ParkedFundsDto): Promise<ParkedFundsResponse> {
    const plan = await this.readings.plan();
    const owners = await this.ownersOf(caller, request.owner_address);
    const size = walletsPerPage(plan.map(({ tokens }) => tokens.length));
    const { read, next } = await this.pages.page(
      { orgId: caller.orgId, owners },
      request.pagination_key,
      size,
    );
    const found = await this.payments.read(read);
    const wallets = found.map(({ payment }) => getAddress(payment.walletAddress));
    const { wallets: readings, unreadChains, policyOn } = await this.readings.read(plan, wallets);
    const readingsOf = (index: number) => readings[index] ?? [];
    if (unreadChains.length === 0) {
      const empty = found.filter(({ payment }, index) => isEmptied(payment, readingsOf(index)));
      await this.emptyWallets.remember(empty.map(({ payment }) => payment));
    }
    return {
      issues: found.flatMap(({ payment, now }, index) =>
        parkedFunds(payment, currentHoldings(payment, readingsOf(index)), policyOn, now),
      ),
      next_pagination_key: next,
      unread_chains: unreadChains,
    };
  }

  /** The owner, and for secret keys the addresses linked with it. */
  private async ownersOf({ kind, orgId }: Caller, owner: string): Promise<string[]> {
    const linked = kind === 'secret' ? await this.verifications.linkedWith(orgId, owner) : [];
    return [owner.toLowerCase(), ...linked].map((address) => getAddress(address));
  }
}
