import { FEATURES, type Feature } from '@bascule/contracts';
import { IsAsset, IsFiatCode } from '@bascule/validation';
import { IsArray, IsIn, IsIP, IsOptional } from 'class-validator';

export class MethodsQueryDto {
  /** Fiat code that is paid with. */
  @IsFiatCode()
  input!: string;

  /** Asset that is delivered. */
  @IsAsset()
  output!: string;

  /** IPv4 or IPv6 address of the end user. */
  @IsOptional()
  @IsIP()
  customer_ip_address?: string;

  /** Routes in test that may be used. */
  @IsOptional()
  @IsArray()
  @IsIn(FEATURES, { each: true })
  features?: Feature[];
}
