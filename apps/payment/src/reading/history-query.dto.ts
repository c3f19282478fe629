import { HISTORY_CATEGORIES } from '@bascule/contracts';
import type { HistoryCategory } from '@bascule/contracts';
import { IsEvmAddress, IsPaginationKey, IsQueryInteger } from '@bascule/validation';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { PaymentViewQueryDto } from './payment-view-query.dto.js';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 500;
const MAX_LABEL_LENGTH = 255;

export class HistoryQueryDto extends PaymentViewQueryDto {
  /** Owner of the payments; a publishable key has to name it. */
  @IsOptional()
  @IsEvmAddress()
  owner_address?: string;

  /** Destination of the payments. */
  @IsOptional()
  @IsEvmAddress()
  dest_address?: string;

  /** A payment id, or its beginning. */
  @IsOptional()
  @Matches(/^([0-9a-f]-?){8,32}$/i, {
    message: 'id_query must be a payment id, or at least its first eight digits',
  })
  id_query?: string;

  /** The whole label. */
  @IsOptional()
  @MaxLength(MAX_LABEL_LENGTH)
  @IsString()
  label?: string;

  /** Payments to list; `NEW_OR_FUNDED` leaves out those that expired unfunded. */
  @IsIn(HISTORY_CATEGORIES)
  @IsString()
  category: HistoryCategory = 'NEW_OR_FUNDED';

  /** Largest number of payments in the page. */
  @IsQueryInteger(1, MAX_LIMIT)
  limit: number = DEFAULT_LIMIT;

  /** `next_pagination_key` of the previous page. */
  @IsOptional()
  @IsPaginationKey()
  pagination_key?: string;
}
