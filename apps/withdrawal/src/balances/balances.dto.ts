import { IsEvmAddress, IsNestedArray, IsTokenIdentifier, IsUuid } from '@bascule/validation';
import type { TokenIdentifier } from '@bascule/contracts';
import { ArrayMaxSize, IsOptional } from 'class-validator';

const MAX_QUERIES = 100;

export class CustomQueryDto {
  @IsEvmAddress()
  address!: string;

  @IsTokenIdentifier()
  token!: TokenIdentifier;
}

export class BalancesDto {
  @IsOptional()
  @IsUuid()
  payment_id?: string;

  @IsOptional()
  @IsNestedArray(() => CustomQueryDto)
  @ArrayMaxSize(MAX_QUERIES)
  custom_queries?: CustomQueryDto[];
}
