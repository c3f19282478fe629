import { FEATURES, type Feature } from '@bascule/contracts';
import { IsAsset, IsFiatCode } from '@bascule/validation';
import { IsArray, IsIn, IsIP, IsOptional } from 'class-validator';

export class MethodsQueryDto {
  @IsFiatCode()
  input!: string;

  @IsAsset()
  output!: string;

  @IsOptional()
  @IsIP()
  customer_ip_address?: string;

  @IsOptional()
  @IsArray()
  @IsIn(FEATURES, { each: true })
  features?: Feature[];
}
