// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {DevelopmentVault} from "../contracts/development/DevelopmentVault.sol";
import {Outcome} from "../contracts/interfaces/IFillOracle.sol";
import {Call, Declaration} from "../contracts/types/Declaration.sol";
import {Order, RefundInstruction} from "../contracts/types/Order.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {BridgeFixture} from "./support/BridgeFixture.sol";
import {Fixture} from "./support/Fixture.sol";
import {IMulticall3, Multicall3} from "./support/Multicall3.sol";
import {UniswapV3} from "./support/UniswapV3.sol";

/// @notice Gas of common transactions as a whole: with the 21,000 of any transaction, its calldata and its refunds.
/// Every receiver holds some of the token already, as addresses in use do; tokens are OpenZeppelin's ERC-20.
/// forge-config: default.isolate = true
contract GasTest is Fixture {
    uint256 private constant USDC = 1e6;

    UniswapV3 private uniswap;
    address private payer = makeAddr("payer");

    function setUp() public override {
        super.setUp();
        address[6] memory holders = [destination, feeReceiver, relayer, owner, payer, address(market)];
        for (uint256 i = 0; i < holders.length; i++) {
            input.mint(holders[i], 1000 * USDC);
            output.mint(holders[i], 1000 * USDC);
        }
        uniswap = new UniswapV3();
        input.mint(address(uniswap), 1e12 * USDC);
        output.mint(address(uniswap), 1e12 * USDC);
        uniswap.fill(input, output, 1e12 * USDC);
    }

    function test_plainTransfer() public {
        vm.prank(payer);
        input.transfer(destination, 100 * USDC);
        vm.snapshotGasLastCall("plain ERC-20 transfer");
    }

    function test_plainSwap() public {
        address router = address(uniswap.router());
        vm.startPrank(payer);
        input.approve(router, 1000 * USDC);
        (bool success,) = router.call(uniswap.swap(input, output, 100 * USDC, destination));
        vm.snapshotGasLastCall("plain Uniswap V3 swap");
        assertTrue(success);
    }

    function test_deployment() public {
        factory.deploy(keccak256("hash"));
        vm.snapshotGasLastCall("wallet deployment");
    }

    function test_transferLeg() public {
        executes(transfer(), 95 * USDC, noCalls());
        vm.snapshotGasLastCall("transfer leg with fee");
    }

    function test_transferLegOfAKey() public {
        Declaration memory declaration = transfer();
        declaration.executor = operator;
        address wallet = address(deployed(declaration));
        funded(declaration, 100 * USDC);
        vm.prank(operator);
        OneTimeWallet(payable(wallet)).execute(declaration, 0, 95 * USDC, fee(5 * USDC), noCalls());
        vm.snapshotGasLastCall("transfer leg with fee, executed by a key");
    }

    function test_transferLegWithDeployment() public {
        execute(transfer(), 95 * USDC, fee(5 * USDC), noCalls());
        vm.snapshotGasLastCall("transfer leg with fee and deployment");
    }

    function test_swapLeg() public {
        executes(conversion(), 100 * USDC, route());
        vm.snapshotGasLastCall("Uniswap V3 swap with payout and fee");
    }

    function test_swapLegWithDeployment() public {
        execute(conversion(), 100 * USDC, fee(5 * USDC), route());
        vm.snapshotGasLastCall("Uniswap V3 swap with payout, fee and deployment");
    }

    function test_customCalls() public {
        DevelopmentVault vault = new DevelopmentVault("Vault", "VAULT", input);
        vm.startPrank(payer);
        input.approve(address(vault), USDC);
        vault.deposit(USDC, destination);
        vm.stopPrank();
        Declaration memory declaration = transfer();
        declaration.legs[0].customCalls = joined(
            one(address(input), abi.encodeCall(input.approve, (address(vault), 95 * USDC)), 0),
            one(address(vault), abi.encodeCall(vault.deposit, (95 * USDC, destination)), 0)
        );
        funded(declaration, 100 * USDC);
        executes(declaration, 95 * USDC, noCalls());
        vm.snapshotGasLastCall("transfer leg with fee and a deposit as custom calls");
        assertEq(vault.balanceOf(destination), 96 * USDC);
    }

    function test_withdrawal() public {
        withdraws(sending(address(input), owner, 100 * USDC));
        vm.snapshotGasLastCall("withdrawal of one token");
    }

    function test_withdrawalWithFee() public {
        withdraws(withFeeAction());
        vm.snapshotGasLastCall("withdrawal of one token with fee");
    }

    function test_withdrawalWithDeployment() public {
        Declaration memory declaration = transfer();
        address wallet = addressOf(declaration);
        ServiceAuthorization memory authorization = withRealNonce(authorizing(declaration, withFeeAction()));
        bytes memory withdrawal =
            abi.encodeCall(OneTimeWallet.withdraw, (declaration, authorization, signed(authorization, ownerKey)));
        IMulticall3.Call3[] memory calls = new IMulticall3.Call3[](2);
        calls[0] = IMulticall3.Call3(
            address(factory), false, abi.encodeCall(factory.deploy, (authorization.signatory_declaration_hash))
        );
        calls[1] = IMulticall3.Call3(wallet, false, withdrawal);
        IMulticall3 multicall3 = Multicall3.deploy();
        vm.prank(relayer);
        multicall3.aggregate3(calls);
        vm.snapshotGasLastCall("deployment and withdrawal of one token with fee");
        assertEq(input.balanceOf(wallet), 0);
    }

    /// In a deployed wallet.
    function executes(Declaration memory declaration, uint256 amount, Call[] memory calls) private {
        address wallet = address(deployed(declaration));
        bytes memory execution = abi.encodeCall(OneTimeWallet.execute, (declaration, 0, amount, fee(5 * USDC), calls));
        vm.prank(operator);
        executor.execute(wallet, execution);
    }

    function transfer() private returns (Declaration memory declaration) {
        declaration = withFee(transferOf(address(input), 100 * USDC, 95 * USDC), feeReceiver, 5 * USDC);
        declaration.paymentId = bytes16(keccak256("payment"));
        funded(declaration, 100 * USDC);
    }

    function conversion() private returns (Declaration memory declaration) {
        declaration =
            withFee(conversionOf(address(input), 105 * USDC, address(output), 99 * USDC), feeReceiver, 5 * USDC);
        declaration.paymentId = bytes16(keccak256("payment"));
        funded(declaration, 105 * USDC);
    }

    function route() private view returns (Call[] memory) {
        return uniswap.calls(IERC20(input), output, 100 * USDC, address(converter));
    }

    function withFeeAction() private view returns (Call[] memory) {
        return joined(sending(address(input), owner, 98 * USDC), sending(address(input), relayer, 2 * USDC));
    }

    function withdraws(Call[] memory actions) private {
        Declaration memory declaration = transfer();
        OneTimeWallet wallet = deployed(declaration);
        ServiceAuthorization memory authorization = withRealNonce(authorizing(declaration, actions));
        bytes memory signature = signed(authorization, ownerKey);
        vm.prank(relayer);
        wallet.withdraw(declaration, authorization, signature);
    }

    /// Ids of payments and withdrawals are UUIDs, whose calldata costs more than zeros.
    function withRealNonce(ServiceAuthorization memory authorization)
        private
        pure
        returns (ServiceAuthorization memory)
    {
        authorization.nonce = nonceOf(NOW + 30 minutes, uint128(uint256(keccak256("withdrawal"))));
        return authorization;
    }
}

/// @notice Gas of the ends of an unfilled order, measured alike.
/// forge-config: default.isolate = true
contract EscrowGasTest is BridgeFixture {
    uint256 private constant AMOUNT = 100e6;

    address private wallet = makeAddr("wallet");

    function setUp() public override {
        super.setUp();
        address[4] memory holders = [wallet, destination, relayer, address(escrow)];
        for (uint256 i = 0; i < holders.length; i++) {
            output.mint(holders[i], AMOUNT);
        }
    }

    function test_refundToWallet() public {
        Order memory order = unfilled();
        vm.prank(relayer);
        escrow.refundToWallet(order);
        vm.snapshotGasLastCall("refund of an unfilled order to its wallet");
    }

    function test_refundByText() public {
        Order memory order = unfilled();
        RefundInstruction memory instruction = instructing(destination, AMOUNT / 50);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        vm.prank(relayer);
        escrow.refund(order, instruction, signature);
        vm.snapshotGasLastCall("refund of an unfilled order as the owner signed, with fee");
    }

    function test_attestation() public {
        Order memory order = opened(wallet, AMOUNT, AMOUNT);
        bytes32 id = idOf(order);
        bytes[] memory list = signatures(id, Outcome.Unfilled, address(0), 2);
        vm.prank(relayer);
        oracle.attest(id, Outcome.Unfilled, address(0), list);
        vm.snapshotGasLastCall("outcome of an order from two attesters");
    }

    function unfilled() private returns (Order memory order) {
        order = opened(wallet, AMOUNT, AMOUNT);
        attest(order, Outcome.Unfilled, address(0));
        vm.warp(order.fillDeadline + 1);
    }
}
