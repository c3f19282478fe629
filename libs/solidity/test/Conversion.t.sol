// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IConverter} from "../contracts/interfaces/IConverter.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {Calls} from "../contracts/libraries/Calls.sol";
import {Currency} from "../contracts/libraries/Currency.sol";
import {Call, Declaration} from "../contracts/types/Declaration.sol";
import {Forwarder, Rejecting, Silent} from "./support/Actors.sol";
import {Fixture} from "./support/Fixture.sol";
import {FeeOnTransferToken, NonZeroToken} from "./support/Tokens.sol";

contract ConversionTest is Fixture {
    function test_convertsAndPaysTheFee() public {
        Declaration memory declaration =
            withFee(conversionOf(address(input), 105, address(output), 290), feeReceiver, 5);
        address wallet = funded(declaration, 105);

        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 100, fee(5), 300);
        execute(declaration, 100, fee(5), swapping(address(input), 100, address(output), 300));

        assertEq(output.balanceOf(destination), 300);
        assertEq(input.balanceOf(feeReceiver), 5);
        assertConverterIsEmpty();
    }

    function testFuzz_paysAtLeastTheMinimumOrNothing(uint96 amount, uint96 sold, uint96 bought, uint96 minimum) public {
        sold = uint96(bound(sold, 0, amount));
        Declaration memory declaration = conversionOf(address(input), amount, address(output), minimum);
        address wallet = funded(declaration, amount);
        Call[] memory calls = swapping(address(input), sold, address(output), bought);

        (bool success, bytes memory reason) = tryExecute(declaration, amount, calls);
        if (success) {
            assertGe(bought, minimum);
            assertEq(output.balanceOf(destination), bought);
            assertEq(input.balanceOf(wallet), amount - sold);
        } else {
            assertLt(bought, minimum);
            assertEq(reason, abi.encodeWithSelector(Currency.BelowMinimum.selector, bought, minimum));
            assertEq(input.balanceOf(wallet), amount);
        }
        assertConverterIsEmpty();
    }

    function testFuzz_unusedNativeInputReturnsToTheWallet(uint96 amount, uint96 sold) public {
        sold = uint96(bound(sold, 0, amount));
        Declaration memory declaration = conversionOf(NATIVE, amount, address(output), 1);
        address wallet = funded(declaration, amount);
        execute(declaration, amount, noFees(), swapping(NATIVE, sold, address(output), 7));
        assertEq(output.balanceOf(destination), 7);
        assertEq(wallet.balance, amount - sold);
        assertConverterIsEmpty();
    }

    function test_paysNativeOutput() public {
        Declaration memory declaration = conversionOf(address(input), 100, NATIVE, 1 ether);
        declaration.destination = address(new Forwarder(payable(destination)));
        address wallet = funded(declaration, 100);
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 100, noFees(), 2 ether);
        execute(declaration, 100, noFees(), swapping(address(input), 100, NATIVE, 2 ether));
        assertEq(destination.balance, 2 ether);
        assertConverterIsEmpty();
    }

    function test_refusesNativeOutputBelowTheMinimum() public {
        Declaration memory declaration = conversionOf(address(input), 100, NATIVE, 1 ether);
        funded(declaration, 100);
        Call[] memory calls = swapping(address(input), 100, NATIVE, 1 ether - 1);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 1 ether - 1, 1 ether));
        execute(declaration, 100, noFees(), calls);
    }

    function test_refusesANativeDestinationThatReverts() public {
        Declaration memory declaration = conversionOf(address(input), 100, NATIVE, 1);
        declaration.destination = address(new Rejecting());
        funded(declaration, 100);
        Call[] memory calls = swapping(address(input), 100, NATIVE, 1);
        vm.expectRevert(bytes("no"));
        execute(declaration, 100, noFees(), calls);
    }

    function test_convertsATokenIntoItself() public {
        Declaration memory declaration = conversionOf(address(output), 100, address(output), 150);
        address wallet = funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(output), 100, address(output), 150));
        assertEq(output.balanceOf(destination), 150);
        assertEq(output.balanceOf(wallet), 0);
    }

    function test_skipsATransferOfZero() public {
        NonZeroToken token = new NonZeroToken();
        Declaration memory declaration = withFee(conversionOf(address(token), 100, address(output), 1), feeReceiver, 5);
        funded(declaration, 100);
        execute(declaration, 100, fee(0), swapping(address(token), 100, address(output), 1));
        assertEq(output.balanceOf(destination), 1);
    }

    function test_refusesAConversionThatDoesNothing() public {
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 1);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 0, 1));
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_countsOutputAfterTheTokensOwnFee() public {
        FeeOnTransferToken token = new FeeOnTransferToken();
        token.mint(address(market), 1_000_000);
        Declaration memory declaration = conversionOf(address(input), 100, address(token), 9801);
        address wallet = funded(declaration, 100);
        // 10000 reach the converter as 9900 and the destination as 9801.
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 100, noFees(), 9801);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(token), 10_000));
    }

    // Calls

    function test_aFailingCallFailsTheLegWithItsReason() public {
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 1);
        funded(declaration, 100);
        Call[] memory calls = one(address(new Rejecting()), "", 0);
        vm.expectRevert(bytes("no"));
        execute(declaration, 100, noFees(), calls);

        address silent = address(new Silent());
        vm.expectRevert(abi.encodeWithSelector(Calls.CallFailed.selector, silent));
        execute(declaration, 100, noFees(), one(silent, "", 0));
    }

    function test_aCallToAnAddressWithoutCodeFailsTheLeg() public {
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 0);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(Calls.TargetWithoutCode.selector, relayer));
        execute(declaration, 100, noFees(), one(relayer, hex"00", 0));
    }

    function test_nativeCurrencyComesWithTheCall() public {
        Declaration memory declaration = conversionOf(NATIVE, 1 ether, address(output), 200);
        funded(declaration, 1 ether);
        vm.expectCall(address(converter), 1 ether, abi.encodePacked(IConverter.convert.selector));
        execute(declaration, 1 ether, noFees(), swapping(NATIVE, 1 ether, address(output), 200));
        assertEq(output.balanceOf(destination), 200);
    }

    function assertConverterIsEmpty() private view {
        assertEq(input.balanceOf(address(converter)), 0);
        assertEq(output.balanceOf(address(converter)), 0);
        assertEq(address(converter).balance, 0);
    }
}
