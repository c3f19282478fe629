import { IsEvmAddress, IsNestedArray, IsTokenIdentifier, IsUuid } from '@bascule/validation';
import type { TokenIdentifier } from '@bascule/contracts';
import { ArrayMaxSize, IsOptional } from 'class-validator';

const MAX_QUERIES = 100;

/** Balance to read. */
export class CustomQueryDto {
  /** Holder of the balance. */
  @IsEvmAddress()
  address!: string;

  /** Token of the balance. */
  @IsTokenIdentifier()
  token!: TokenIdentifier;
}

/** Balances to read. */
export class BalancesDto {
  /** Payment whose wallet is read; needed without `custom_queries`. */
  @IsOptional()
  @IsUuid()
  payment_id?: string;

  /** Further balances to read. A wallet that was confirmed just now is known only beside its `payment_id`. */
  @IsOptional()
  @IsNestedArray(() => CustomQueryDto)
  @ArrayMaxSize(MAX_QUERIES)
  custom_queries?: CustomQueryDto[];
}
