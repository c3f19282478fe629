import { IsFiatCode, IsQueryBoolean } from '@bascule/validation';
import { IsOptional } from 'class-validator';

/** Options of how payments are shown. */
export class PaymentViewQueryDto {
  /** Reports `WITHDRAW_PENDING`; without it, the status before the withdrawal until it lands. */
  @IsOptional()
  @IsQueryBoolean()
  enable_withdraw_pending?: boolean;

  /**
   * Fiat code in which prices and fees are shown. By default, and while the quote's own has no current price, that of
   * the quote.
   */
  @IsOptional()
  @IsFiatCode()
  price_currency?: string;
}
