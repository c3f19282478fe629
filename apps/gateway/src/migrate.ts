import { runMigrations } from '@bascule/http';
import { gatewayService } from './index.js';

await runMigrations(gatewayService);
