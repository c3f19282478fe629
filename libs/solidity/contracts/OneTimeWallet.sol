// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IActionRunnerFactory} from "./interfaces/IActionRunnerFactory.sol";
import {IBridgeAdapter} from "./interfaces/IBridgeAdapter.sol";
import {IConverter} from "./interfaces/IConverter.sol";
import {IOneTimeWallet} from "./interfaces/IOneTimeWallet.sol";
import {AuthorizationHash} from "./libraries/AuthorizationHash.sol";
import {Calls} from "./libraries/Calls.sol";
import {Currency} from "./libraries/Currency.sol";
import {DeclarationHash} from "./libraries/DeclarationHash.sol";
import {OwnerSignature} from "./libraries/OwnerSignature.sol";
import {WalletAddress} from "./libraries/WalletAddress.sol";
import {WithdrawalNonce} from "./libraries/WithdrawalNonce.sol";
import {BridgeRequest} from "./types/BridgeRequest.sol";
import {Call, Declaration, Fee, Leg} from "./types/Declaration.sol";
import {ServiceAuthorization} from "./types/ServiceAuthorization.sol";

/// @notice Implementation of every wallet: a wallet is a clone whose only immutable argument is its declaration's hash.
contract OneTimeWallet is IOneTimeWallet {
    using Calls for Call[];
    using Currency for address;
    using DeclarationHash for Declaration;
    using AuthorizationHash for ServiceAuthorization;
    using OwnerSignature for bytes32;
    using WithdrawalNonce for uint256;

    /// @notice The factory whose wallets run this code.
    /// @dev A signature covers its declaration, which names its factory: wallets of other factories refuse it.
    address public immutable factory;
    /// @notice Converter that wallets use.
    IConverter public immutable converter;
    /// @dev Deploys the runners of custom calls. Without a getter, whose dispatch would cost every call gas.
    IActionRunnerFactory private immutable _runners;

    /// @inheritdoc IOneTimeWallet
    /// @dev One flag suffices: a declaration has at most one leg per chain, which the flag also enforces.
    bool public legExecuted;
    /// @inheritdoc IOneTimeWallet
    bool public executorEnded;
    /// @inheritdoc IOneTimeWallet
    mapping(uint256 nonce => bool) public nonceUsed;

    /// @param converter_ Converter of all wallets of the factory. The deployer is the factory.
    /// @param runners Deploys the runners of all wallets of the factory.
    constructor(IConverter converter_, IActionRunnerFactory runners) {
        factory = msg.sender;
        converter = converter_;
        _runners = runners;
    }

    /// @notice Accepts native currency from anyone.
    receive() external payable {}

    /// @inheritdoc IOneTimeWallet
    function execute(
        Declaration calldata declaration,
        uint256 leg,
        uint256 amount,
        uint256[] calldata fees,
        Call[] calldata calls
    ) external {
        _requireOwn(declaration);
        if (msg.sender != declaration.executor) revert NotExecutor();
        if (block.timestamp >= declaration.expiry) revert DeclarationExpired();
        if (executorEnded) revert ExecutorEnded();
        if (legExecuted) revert LegAlreadyExecuted();
        if (leg >= declaration.legs.length) revert UnknownLeg();
        Leg calldata current = declaration.legs[leg];
        if (current.chainId != block.chainid) revert WrongChain();
        bool isLast = leg + 1 == declaration.legs.length;
        if ((current.bridgeAdapter == address(0)) != isLast) revert BridgeMisplaced();
        legExecuted = true;

        uint256[] memory paidFees = _payFees(current, amount, fees);
        uint256 output = isLast
            ? _payOut(current, declaration.destination, amount, calls)
            : _bridge(current, declaration.legs[leg + 1], declaration.owner, amount, calls);
        emit LegExecuted(leg, amount, paidFees, output);
    }

    /// @inheritdoc IOneTimeWallet
    function withdraw(
        Declaration calldata declaration,
        ServiceAuthorization calldata authorization,
        bytes calldata signature
    ) external {
        bytes32 hash = _requireOwn(declaration);
        uint256 nonce = authorization.nonce;
        if (authorization.signatory_declaration_hash != hash) revert WrongDeclaration();
        if (authorization.chain_id != block.chainid) revert WrongChain();
        if (!nonce.isWellFormed()) revert MalformedNonce();
        if (nonce.isDead()) revert AuthorizationDead();
        if (nonceUsed[nonce]) revert NonceAlreadyUsed();
        if (!authorization.digest().isSignedBy(declaration.owner, signature)) revert WrongSignature();

        nonceUsed[nonce] = true;
        if (authorization.accept_blame) executorEnded = true;
        emit Withdrawn(nonce, hash, authorization.accept_blame);
        authorization.actions.run();
    }

    /// @inheritdoc IOneTimeWallet
    function declarationHash() public view returns (bytes32) {
        return WalletAddress.ownDeclarationHash();
    }

    function _requireOwn(Declaration calldata declaration) private view returns (bytes32 hash) {
        hash = declaration.hash();
        if (hash != declarationHash()) revert WrongDeclaration();
        if (declaration.factory != factory) revert WrongFactory();
    }

    /// @dev A receiver that rejects its fee loses it; the payment continues.
    function _payFees(Leg calldata leg, uint256 amount, uint256[] calldata fees)
        private
        returns (uint256[] memory paid)
    {
        Fee[] calldata declared = leg.fees;
        if (fees.length != declared.length) revert WrongFeeCount();
        address token = leg.inputToken;
        uint256 rest = leg.maxInput;
        paid = new uint256[](fees.length);
        for (uint256 i = 0; i < fees.length; i++) {
            uint256 fee = fees[i];
            if (fee > declared[i].cap) revert FeeAboveCap(i);
            if (fee > rest) revert InputAboveMaximum();
            rest -= fee;
            if (fee != 0 && token.tryTransfer(declared[i].receiver, fee)) paid[i] = fee;
        }
        if (amount > rest) revert InputAboveMaximum();
    }

    function _payOut(Leg calldata leg, address destination, uint256 amount, Call[] calldata calls)
        private
        returns (uint256)
    {
        if (leg.customCalls.length != 0) return _payOutByRunner(leg, destination, amount, calls);
        if (leg.inputToken == leg.outputToken && calls.length == 0) {
            return leg.inputToken.payOut(destination, amount, leg.minOutput);
        }
        return _convert(leg, destination, amount, calls);
    }

    /// @dev The runner receives at least the minimum before the custom calls.
    function _payOutByRunner(Leg calldata leg, address destination, uint256 amount, Call[] calldata calls)
        private
        returns (uint256 output)
    {
        address runner = _runners.deploy(address(this));
        output = _convert(leg, runner, amount, calls);
        _callConverter(IConverter(runner), 0, leg, destination, leg.customCalls);
    }

    /// @dev The executor chooses only the amount; the adapter takes all of the conversion's output.
    function _bridge(Leg calldata leg, Leg calldata next, address owner, uint256 amount, Call[] calldata calls)
        private
        returns (uint256 output)
    {
        address token = leg.outputToken;
        bool hasNative = token == Currency.NATIVE || next.inputToken == Currency.NATIVE;
        if (hasNative || leg.customCalls.length != 0) revert NotBridgeable();
        output = leg.inputToken == token && calls.length == 0 ? amount : _convert(leg, address(this), amount, calls);
        if (output < leg.minOutput) revert Currency.BelowMinimum(output, leg.minOutput);

        address adapter = leg.bridgeAdapter;
        SafeERC20.forceApprove(IERC20(token), adapter, output);
        IBridgeAdapter(adapter)
            .bridge(
                BridgeRequest({
                token: token,
                amount: output,
                destinationChainId: next.chainId,
                destinationToken: next.inputToken,
                minimum: leg.minBridged,
                owner: owner
            })
            );
        uint256 left = IERC20(token).allowance(address(this), adapter);
        if (left != 0) revert AllowanceLeft(left);
    }

    function _convert(Leg calldata leg, address recipient, uint256 amount, Call[] calldata calls)
        private
        returns (uint256)
    {
        address token = leg.inputToken;
        uint256 value = amount;
        if (token != Currency.NATIVE) {
            value = 0;
            token.transfer(address(converter), amount);
        }
        return _callConverter(converter, value, leg, recipient, calls);
    }

    /// @dev The only place that encodes a leg, which is less code and gas.
    function _callConverter(
        IConverter target,
        uint256 value,
        Leg calldata leg,
        address recipient,
        Call[] calldata calls
    ) private returns (uint256) {
        return target.convert{value: value}(leg, recipient, calls);
    }
}
