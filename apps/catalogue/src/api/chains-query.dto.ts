import { IsQueryBoolean } from '@bascule/validation';
import { IsOptional } from 'class-validator';

export class ChainsQueryDto {
  @IsOptional()
  @IsQueryBoolean()
  sandbox?: boolean;
}
