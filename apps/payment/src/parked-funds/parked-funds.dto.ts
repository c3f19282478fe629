import { IsEvmAddress, IsPaginationKey } from '@bascule/validation';
import { IsOptional } from 'class-validator';

/** Owner to search. */
export class ParkedFundsDto {
  /** Owner whose payments are searched. */
  @IsEvmAddress()
  owner_address!: string;

  /** `next_pagination_key` of the previous page. */
  @IsOptional()
  @IsPaginationKey()
  pagination_key?: string;
}
