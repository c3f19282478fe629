// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";
import {ActionRunner} from "../../contracts/ActionRunner.sol";
import {ActionRunnerFactory} from "../../contracts/ActionRunnerFactory.sol";
import {Converter} from "../../contracts/Converter.sol";
import {Executor} from "../../contracts/Executor.sol";
import {OneTimeWallet} from "../../contracts/OneTimeWallet.sol";
import {OneTimeWalletFactory} from "../../contracts/OneTimeWalletFactory.sol";
import {IOneTimeWallet} from "../../contracts/interfaces/IOneTimeWallet.sol";
import {AuthorizationHash} from "../../contracts/libraries/AuthorizationHash.sol";
import {Call, Declaration, Fee, Leg} from "../../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../../contracts/types/ServiceAuthorization.sol";
import {Market} from "./Actors.sol";
import {ReferenceHash} from "./ReferenceHash.sol";
import {TestToken} from "./Tokens.sol";

/// @notice Deployed contracts, actors, and builders of common declarations.
abstract contract Fixture is Test {
    address internal constant NATIVE = address(0);
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant EXPIRY = NOW + 1 days;

    Converter internal converter;
    ActionRunnerFactory internal runners;
    OneTimeWalletFactory internal factory;
    Executor internal executor;
    Market internal market;
    TestToken internal input;
    TestToken internal output;

    uint256 internal ownerKey;
    address internal owner;
    address internal admin = makeAddr("admin");
    address internal operator = makeAddr("operator");
    address internal destination = makeAddr("destination");
    address internal feeReceiver = makeAddr("feeReceiver");
    address internal relayer = makeAddr("relayer");

    uint128 private _ids;

    function setUp() public virtual {
        vm.warp(NOW);
        (owner, ownerKey) = makeAddrAndKey("owner");
        converter = new Converter();
        runners = new ActionRunnerFactory();
        factory = new OneTimeWalletFactory(converter, runners);
        address[] memory operators = new address[](1);
        operators[0] = operator;
        executor = new Executor(admin, operators);
        market = new Market();
        input = new TestToken();
        output = new TestToken();
        output.mint(address(market), type(uint128).max);
        vm.deal(address(market), type(uint96).max);
    }

    // Declarations

    function transferOf(address token, uint256 maxInput, uint256 minOutput) internal returns (Declaration memory) {
        return conversionOf(token, maxInput, token, minOutput);
    }

    function conversionOf(address from, uint256 maxInput, address to, uint256 minOutput)
        internal
        returns (Declaration memory declaration)
    {
        declaration.factory = address(factory);
        declaration.paymentId = bytes16(++_ids);
        declaration.owner = owner;
        declaration.executor = address(executor);
        declaration.destination = destination;
        declaration.expiry = EXPIRY;
        declaration.legs = new Leg[](1);
        declaration.legs[0].chainId = block.chainid;
        declaration.legs[0].inputToken = from;
        declaration.legs[0].maxInput = maxInput;
        declaration.legs[0].outputToken = to;
        declaration.legs[0].minOutput = minOutput;
    }

    function withFee(Declaration memory declaration, address receiver, uint256 cap)
        internal
        pure
        returns (Declaration memory)
    {
        declaration.legs[0].fees = new Fee[](1);
        declaration.legs[0].fees[0] = Fee(receiver, cap);
        return declaration;
    }

    // Wallets

    function hashOf(Declaration memory declaration) internal pure returns (bytes32) {
        return ReferenceHash.hash(declaration);
    }

    function addressOf(Declaration memory declaration) internal view returns (address payable) {
        return payable(factory.predict(hashOf(declaration)));
    }

    function deployed(Declaration memory declaration) internal returns (OneTimeWallet) {
        return OneTimeWallet(payable(factory.deploy(hashOf(declaration))));
    }

    function funded(Declaration memory declaration, uint256 amount) internal returns (address payable wallet) {
        wallet = addressOf(declaration);
        address token = declaration.legs[0].inputToken;
        if (token == NATIVE) vm.deal(wallet, wallet.balance + amount);
        else TestToken(token).mint(wallet, amount);
    }

    function runnerOf(Declaration memory declaration) internal view returns (ActionRunner) {
        return ActionRunner(payable(runners.predict(addressOf(declaration))));
    }

    // Executions

    function noFees() internal pure returns (uint256[] memory) {
        return new uint256[](0);
    }

    function fee(uint256 amount) internal pure returns (uint256[] memory fees) {
        fees = new uint256[](1);
        fees[0] = amount;
    }

    function noCalls() internal pure returns (Call[] memory) {
        return new Call[](0);
    }

    function execute(Declaration memory declaration, uint256 amount, uint256[] memory fees, Call[] memory calls)
        internal
    {
        executeLeg(declaration, 0, amount, fees, calls);
    }

    function executeLeg(
        Declaration memory declaration,
        uint256 leg,
        uint256 amount,
        uint256[] memory fees,
        Call[] memory calls
    ) internal {
        bytes memory execution = abi.encodeCall(IOneTimeWallet.execute, (declaration, leg, amount, fees, calls));
        bytes32 hash = hashOf(declaration);
        vm.prank(operator);
        executor.deployAndExecute(factory, hash, execution);
    }

    function executing(Declaration memory declaration, uint256 amount, Call[] memory calls)
        internal
        view
        returns (bytes memory)
    {
        return executing(declaration, amount, noFees(), calls);
    }

    /// Call to the executor contract.
    function executing(Declaration memory declaration, uint256 amount, uint256[] memory fees, Call[] memory calls)
        internal
        view
        returns (bytes memory)
    {
        bytes memory execution = abi.encodeCall(IOneTimeWallet.execute, (declaration, 0, amount, fees, calls));
        return abi.encodeCall(executor.deployAndExecute, (factory, hashOf(declaration), execution));
    }

    /// Result that the executor contract returns to the operator.
    function tryExecute(Declaration memory declaration, uint256 amount, Call[] memory calls)
        internal
        returns (bool success, bytes memory answer)
    {
        bytes memory data = executing(declaration, amount, calls);
        vm.prank(operator);
        (success, answer) = address(executor).call(data);
    }

    function swapping(address from, uint256 amountIn, address to, uint256 amountOut)
        internal
        view
        returns (Call[] memory calls)
    {
        bytes memory swap = abi.encodeCall(Market.swap, (from, amountIn, to, amountOut));
        if (from == NATIVE) {
            calls = new Call[](1);
            calls[0] = Call(address(market), swap, amountIn);
        } else {
            calls = new Call[](2);
            calls[0] = Call(from, abi.encodeCall(IERC20.approve, (address(market), amountIn)), 0);
            calls[1] = Call(address(market), swap, 0);
        }
    }

    function one(address target, bytes memory data, uint256 value) internal pure returns (Call[] memory calls) {
        calls = new Call[](1);
        calls[0] = Call(target, data, value);
    }

    function joined(Call[] memory a, Call[] memory b) internal pure returns (Call[] memory calls) {
        calls = new Call[](a.length + b.length);
        for (uint256 i = 0; i < a.length; i++) {
            calls[i] = a[i];
        }
        for (uint256 i = 0; i < b.length; i++) {
            calls[a.length + i] = b[i];
        }
    }

    // Withdrawals

    function nonceOf(uint256 expiresAt, uint128 withdrawId) internal pure returns (uint256) {
        return expiresAt << 192 | withdrawId;
    }

    function authorizing(Declaration memory declaration, Call[] memory actions)
        internal
        returns (ServiceAuthorization memory)
    {
        return ServiceAuthorization({
            description: "Return the money to its owner",
            actions: actions,
            nonce: nonceOf(NOW + 30 minutes, ++_ids),
            signatory_declaration_hash: hashOf(declaration),
            chain_id: block.chainid,
            accept_blame: false
        });
    }

    function digestOf(ServiceAuthorization memory authorization) internal view returns (bytes32) {
        return this.digestCalldata(authorization);
    }

    function digestCalldata(ServiceAuthorization calldata authorization) external pure returns (bytes32) {
        return AuthorizationHash.digest(authorization);
    }

    function signed(ServiceAuthorization memory authorization, uint256 key) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digestOf(authorization));
        return abi.encodePacked(r, s, v);
    }

    function sending(address token, address to, uint256 amount) internal pure returns (Call[] memory) {
        return token == NATIVE ? one(to, "", amount) : one(token, abi.encodeCall(IERC20.transfer, (to, amount)), 0);
    }
}
