// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Handler} from "./Handler.sol";

/// @notice What holds whatever everybody does, in any order, on two chains.
contract InvariantsTest is Test {
    Handler private handler;

    function setUp() public {
        handler = new Handler();
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), actions()));
    }

    /// (1) Value leaves a wallet to the declared destination (at least the minimum, never counting what another payment
    /// paid), to the declared fee receivers (at most the cap), to the declared adapter for this wallet, or where the owner
    /// signed.
    function invariant_valueGoesOnlyWhereItWasDeclaredOrSigned() public view {
        assertEq(handler.astray(), "");
    }

    /// (2) The owner alone recovers everything that is in the wallet or refundable in the escrow.
    function invariant_theOwnerRecoversEverythingAtAnyMoment() public {
        // What an invariant does is undone by forge: the payments go on as if nobody had looked.
        assertEq(handler.recovers(handler.turns() / 2, handler.turns()), "");
    }

    /// (3) No authorisation, order, fill or refund has effect twice, on any chain, and none that was not given has any.
    function invariant_nothingHasEffectTwice() public view {
        assertEq(handler.repeated(), "");
    }

    /// (4) Sums conserve.
    function invariant_sumsConserve() public {
        assertEq(handler.sums(), "");
    }

    /// So that the invariants are not true of nothing: all that may happen does.
    function test_everythingHappens() public {
        string[14] memory effects = [
            "paid",
            "paid in native currency",
            "converted",
            "custom calls",
            "bridged",
            "bridged by CCTP",
            "bridged home",
            "opened by a stranger",
            "withdrawn",
            "filled",
            "released",
            "refunded",
            "nested",
            "nested in custom calls"
        ];
        uint256[14] memory counts;
        bytes4[] memory selectors = actions();
        uint256 seed = 1;
        for (uint256 run = 0; run < 12; run++) {
            handler = new Handler();
            // Custom calls with a payout in them, by chance once in a thousand times.
            handler.executesWithinAnother(2, 3, 1, 1, seed);
            for (uint256 i = 0; i < 150; i++) {
                seed = uint256(keccak256(abi.encode(seed)));
                bytes memory arguments = abi.encode(seed >> 8, seed >> 48, seed >> 88, seed >> 128, seed >> 168);
                (bool success,) = address(handler).call(abi.encodePacked(selectors[seed % selectors.length], arguments));
                assertTrue(success);
            }
            assertEq(handler.astray(), "");
            assertEq(handler.repeated(), "");
            for (uint256 i = 0; i < effects.length; i++) {
                counts[i] += handler.effects(effects[i]);
            }
        }
        for (uint256 i = 0; i < effects.length; i++) {
            assertGt(counts[i], 0, effects[i]);
            emit log_named_uint(effects[i], counts[i]);
        }
    }

    function actions() private pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](21);
        selectors[0] = Handler.makesPayment.selector;
        selectors[1] = Handler.deposits.selector;
        selectors[2] = Handler.ownerWithdraws.selector;
        selectors[3] = Handler.ownerTakesRefund.selector;
        selectors[4] = Handler.executes.selector;
        selectors[5] = Handler.executesWithinAnother.selector;
        selectors[6] = Handler.executesAgain.selector;
        selectors[7] = Handler.strangerSubmitsAgain.selector;
        selectors[8] = Handler.strangerForges.selector;
        selectors[9] = Handler.strangerTakes.selector;
        selectors[10] = Handler.solverFills.selector;
        selectors[11] = Handler.attestersTell.selector;
        selectors[12] = Handler.hostileAttesterLies.selector;
        selectors[13] = Handler.anyoneReleases.selector;
        selectors[14] = Handler.strangerRefundsAgain.selector;
        selectors[15] = Handler.timePasses.selector;
        selectors[16] = Handler.issuerBlocks.selector;
        selectors[17] = Handler.circleMints.selector;
        selectors[18] = Handler.strangerOpensOrder.selector;
        // Twice as often as the rest, without which nothing happens.
        selectors[19] = Handler.deposits.selector;
        selectors[20] = Handler.executes.selector;
    }
}
