import { IsFiatCode, IsTokenIdentifier } from '@bascule/http';
import { IsArray } from 'class-validator';

export class PricesRequestDto {
  @IsFiatCode()
  fiat!: string;

  @IsArray()
  @IsTokenIdentifier({ each: true })
  tokens!: string[];
}
