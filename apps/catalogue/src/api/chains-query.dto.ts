import { IsQueryBoolean } from '@bascule/http';
import { IsOptional } from 'class-validator';

export class ChainsQueryDto {
  @IsOptional()
  @IsQueryBoolean()
  sandbox?: boolean;
}
