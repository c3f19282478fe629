import { invalidField } from '@bascule/contracts';
import type { PagePosition } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { OwnerPaymentsRepository } from '../persistence/owner-payments.repository.js';
import type { OwnerPayment, OwnersQuery } from '../persistence/owner-payments.repository.js';
import { formatPageKey, parsePageKey } from './page-key.js';
import type { FundsGroup, PageKey } from './page-key.js';
import { MAX_LISTED, pageOfWallets } from './page-of-wallets.js';

export interface WalletPage {
  /** Payments whose wallets are read. */
  read: string[];
  /** Key of the next page; null on the last one. */
  next: string | null;
}

type Owners = Pick<OwnersQuery, 'orgId' | 'owners'>;

/** Selects the payments of a page: first those that hold money, then the others, each newest first. */
@Injectable()
export class WalletPagesService {
  constructor(private readonly payments: OwnerPaymentsRepository) {}

  /**
   * Selects at most `size` payments. One that gets or loses money between two pages may be selected twice, never not
   * at all.
   * @throws ServiceError for a key of no payment of these owners
   */
  async page(owners: Owners, key: string | undefined, size: number): Promise<WalletPage> {
    const from = key === undefined ? null : parsePageKey(key);
    const after = from === null ? null : await this.positionOf(owners, from);
    const startedAt = from?.startedAt ?? (await this.payments.settledTime());
    const keyOf = (position: PagePosition | null, group: FundsGroup): string | null =>
      position && formatPageKey({ paymentId: position.paymentId, group, startedAt });
    const query = { ...owners, startedAt, limit: MAX_LISTED };
    if (from?.group === 'OTHER') {
      const { read, next } = await this.others({ ...query, after }, size, new Set());
      return { read, next: keyOf(next, 'OTHER') };
    }

    const holding = await this.payments.listHolding({ ...query, after });
    const { read, next } = pageOfWallets(
      holding.map((payment) => ({ ...payment, isSkipped: payment.isKnownEmpty })),
      { size, limit: MAX_LISTED },
    );
    const last = next ?? (read.length === size ? (holding.at(-1) ?? null) : null);
    if (last !== null) return { read, next: keyOf(last, 'HOLDING') };
    const others = await this.others(
      { ...query, after: null, limit: MAX_LISTED - holding.length },
      size - read.length,
      new Set(read),
    );
    return { read: [...read, ...others.read], next: keyOf(others.next, 'OTHER') };
  }

  /** All payments but those that were in the first group since the start, so on its pages. */
  private async others(query: OwnersQuery, size: number, selected: ReadonlySet<string>) {
    const listed = await this.payments.listAll(query);
    const isSkipped = ({ paymentId, isKnownEmpty, isHolding }: OwnerPayment): boolean =>
      isKnownEmpty || isHolding || selected.has(paymentId);
    return pageOfWallets(
      listed.map((payment) => ({ ...payment, isSkipped: isSkipped(payment) })),
      { size, limit: query.limit },
    );
  }

  private async positionOf(owners: Owners, { paymentId }: PageKey): Promise<PagePosition> {
    const position = await this.payments.positionOf(owners, paymentId);
    if (position === null) {
      throw invalidField(
        ['pagination_key'],
        'Expected a next_pagination_key of this endpoint, found a payment that is not in the list.',
      );
    }
    return position;
  }
}
