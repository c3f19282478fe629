import { IsEvmAddress, IsPaginationKey } from '@bascule/validation';
import { IsOptional } from 'class-validator';

export class ParkedFundsDto {
  @IsEvmAddress()
  owner_address!: string;

  @IsOptional()
  @IsPaginationKey()
  pagination_key?: string;
}
