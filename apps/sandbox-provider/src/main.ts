import { runService } from '@bascule/service-host';
import { sandboxProviderService } from './index.js';

await runService(sandboxProviderService);
