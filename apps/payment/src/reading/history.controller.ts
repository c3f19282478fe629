import { formatPaginationKey, invalidField, parsePaginationKey } from '@bascule/contracts';
import type { PaymentHistory } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Controller, Get, Query } from '@nestjs/common';
import { PaymentHistoryRepository } from '../persistence/payment-history.repository.js';
import type { HistoryFilter } from '../persistence/payment-history.repository.js';
import { HistoryQueryDto } from './history-query.dto.js';
import { PaymentPresenterService } from './payment-presenter.service.js';
import { PriceConversionService } from './price-conversion.service.js';
import { visibleTo } from './visible-payment.js';

@Controller('payments/history')
export class HistoryController {
  constructor(
    private readonly history: PaymentHistoryRepository,
    private readonly presenter: PaymentPresenterService,
    private readonly conversion: PriceConversionService,
  ) {}

  @Get()
  @RequirePermission('payments:read')
  async list(
    @Query() query: HistoryQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentHistory> {
    requireOwner(query, caller);
    const { payments, next } = await this.history.find(filterOf(query, caller), {
      limit: query.limit,
      after: query.pagination_key === undefined ? null : parsePaginationKey(query.pagination_key),
    });
    const enableWithdrawPending = query.enable_withdraw_pending ?? false;
    const shown = await Promise.all(
      payments.map(({ payment, now }) =>
        this.presenter.present(payment, now, { enableWithdrawPending }),
      ),
    );
    const converted = await this.conversion.convertAll(shown, query.price_currency);
    return {
      payment_statuses: converted.map((payment) => visibleTo(caller, payment)),
      next_pagination_key: next === null ? null : formatPaginationKey(next),
    };
  }
}

/** @throws ServiceError for a publishable key, which all visitors of a page share, without an owner */
function requireOwner({ owner_address }: HistoryQueryDto, { kind }: Caller): void {
  if (kind === 'secret' || owner_address !== undefined) return;
  throw invalidField(['owner_address'], 'A publishable key has to name an owner_address.');
}

const filterOf = (query: HistoryQueryDto, { orgId }: Caller): HistoryFilter => ({
  orgId,
  category: query.category,
  ...(query.owner_address !== undefined && { ownerAddress: query.owner_address }),
  ...(query.dest_address !== undefined && { destinationAddress: query.dest_address }),
  ...(query.id_query !== undefined && { idQuery: query.id_query }),
  ...(query.label !== undefined && { label: query.label }),
});
